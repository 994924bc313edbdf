#pragma once
char *basename(char *path);
char *dirname(char *path);
