// SPDX-License-Identifier: Apache-2.0
// What every report is made of: text that no format trips over, and files that are whole or absent.
#ifndef CUPEL_REPORT_H
#define CUPEL_REPORT_H

#include <jansson.h>
#include <stdbool.h>

// Leaves printable ASCII without the characters that end a CDATA section.
void cupel_sanitise(char *text);
// Writes one line of compact JSON in one write. Takes the reference to `event`; a null event is an error.
bool cupel_json_line(int file, json_t *event);
// Makes `path` (it must not exist) with the document, indented, and writes it to disk. False with errno.
bool cupel_json_write(const char *path, const json_t *document);

#endif
