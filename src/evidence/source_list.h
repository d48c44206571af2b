// SPDX-License-Identifier: Apache-2.0
// Names and hashes of the files of a source tree. Internal to src/evidence.
#ifndef EVIDENCE_SOURCE_LIST_H
#define EVIDENCE_SOURCE_LIST_H

#include "evidence_file.h"

typedef struct evidence_source_file {
    char *path; // relative, with '/'
    char sha256[CUPEL_SHA256_HEX];
} evidence_source_file;

typedef struct evidence_source_list {
    evidence_source_file *files;
    size_t count;
    size_t capacity;
} evidence_source_list;

// Adds a copy of the path with an empty hash. False when memory ran out.
bool evidence_source_list_add(evidence_source_list *list, const char *path, size_t length);
// Byte order of the paths.
void evidence_source_list_sort(evidence_source_list *list);
// Adds every regular file and link below `directory`, but .git. False with errno.
bool evidence_source_list_walk(evidence_source_list *list, const char *directory);
// The same with whatever is there; folders that hold nothing are added to `empty`. False with errno.
bool evidence_source_list_walk_whole(evidence_source_list *list, evidence_source_list *empty, const char *directory);
// Hashes every file below `directory`; a symbolic link counts as the text it holds. False with errno; *failed is the first path.
bool evidence_source_list_hash(evidence_source_list *list, const char *directory, const char **failed);
// SHA-256 over the rows "<sha256>  <path>\n" of the files, or of those whose change voids a receipt.
bool evidence_source_list_sum(const evidence_source_list *list, bool qualifying_only, char hex[CUPEL_SHA256_HEX]);
void evidence_source_list_free(evidence_source_list *list);

#endif
