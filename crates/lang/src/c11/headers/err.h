#pragma once
_Noreturn void err(int status, const char *format, ...);
_Noreturn void errx(int status, const char *format, ...);
void warn(const char *format, ...);
void warnx(const char *format, ...);
