#pragma once
#define RTLD_LAZY 1
#define RTLD_NOW 2
void *dlopen(const char *file, int mode);
void *dlsym(void *handle, const char *name);
int dlclose(void *handle);
char *dlerror(void);
