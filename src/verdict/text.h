// SPDX-License-Identifier: Apache-2.0
// Text that comes from files: made printable, compared with character sets, read as strict numbers.
#ifndef CUPEL_TEXT_H
#define CUPEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Makes text safe for terminals, JSON and XML, in place: line ends and tabs become spaces, every other control character and
// every byte that is not part of valid UTF-8 becomes '?'.
void cupel_text_clean(char *text);

// Length of the valid UTF-8 character at `bytes` (1 to 4, surrogates and values above U+10FFFF excluded), 0 when there is none.
size_t cupel_utf8_length(const unsigned char *bytes, size_t available);

// Digits only, no sign, no leading zero but "0" itself.
bool cupel_text_u64(const char *text, uint64_t *value);

// One of "inf", "nan" or a hexadecimal float as printf("%a") writes it, without locale: [-]0xH[.H...]p(+|-)D.
bool cupel_text_hexfloat(const char *text, double *value);

// Lower-case hexadecimal digits, exactly `length` of them.
bool cupel_text_is_hex(const char *text, size_t length);

// A case id (docs/formats.md): 1 to 100 characters [a-z0-9._-], at least two components, none of them empty.
bool cupel_text_is_case_id(const char *text);

// "2026-01-31T23:59:59Z" as seconds since 1970.
bool cupel_text_utc(const char *text, int64_t *seconds);

#endif
