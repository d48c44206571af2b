// SPDX-License-Identifier: Apache-2.0
// References that every XML document may use: &lt; or &#x263a;. Internal to the JUnit reader.
#ifndef CUPEL_JUNIT_REFERENCE_H
#define CUPEL_JUNIT_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

// Could this byte stand inside such a reference?
bool cupel_reference_part(char c);

// Is this text, from "&" to ";", one of the five predefined ones or a character reference to a character that is surely allowed?
// One that may name another character is left to the parser.
bool cupel_reference_legal(const char *token, size_t length);

#endif
