#pragma once
int backtrace(void **buffer, int size);
char **backtrace_symbols(void *const *buffer, int size);
