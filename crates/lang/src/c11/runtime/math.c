/* The part of <math.h> whose results the standard determines to the last bit. */

double fabs(double x) { return x < 0 ? -x : x == 0 ? 0.0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0.0f : x; }
double sqrt(double x) { return __lineal_sqrt(x); }
float sqrtf(float x) { return __lineal_sqrtf(x); }
double trunc(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0) return x;
    double whole = (double)(long)x;
    return whole == 0 && x < 0 ? -0.0 : whole;
}
double floor(double x) {
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}
double ceil(double x) {
    double whole = trunc(x);
    if (whole < x) whole = whole + 1;
    return whole == 0 && x < 0 ? -0.0 : whole;
}
double round(double x) {
    double whole = trunc(x), rest = x - whole;
    if (rest >= 0.5) return whole + 1;
    if (rest <= -0.5) return whole - 1;
    return whole;
}
float truncf(float x) { return (float)trunc(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float roundf(float x) { return (float)round(x); }
long lround(double x) { return (long)round(x); }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x > y ? x : y; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
