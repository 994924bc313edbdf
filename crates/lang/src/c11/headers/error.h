#pragma once
void error(int status, int number, const char *format, ...);
