//! The program form.
