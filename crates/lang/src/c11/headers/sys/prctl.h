#pragma once
int prctl(int option, ...);
#define PR_SET_NAME 15
