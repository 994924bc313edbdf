#pragma once
typedef struct { long __opaque[8]; } jmp_buf[1];
int setjmp(jmp_buf env);
_Noreturn void longjmp(jmp_buf env, int value);
