// Two registers, each a library by itself.
#include "../modes.h"
void set_one(int value);
int get_one(void);
void set_two(int value);
int get_two(void);
