// SPDX-License-Identifier: Apache-2.0
#include "build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_ALIGNED(n) (((size_t)(n) + 3u) & ~(size_t)3u)

// Looks for the build id in one block of notes.
static bool find_in_notes(const unsigned char *notes, size_t bytes, char *hex, size_t size)
{
    size_t at = 0;
    while (bytes - at >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr header;
        memcpy(&header, notes + at, sizeof header);
        size_t name = at + sizeof header;
        if (header.n_namesz > bytes || header.n_descsz > bytes) {
            return false;
        }
        size_t description = name + NOTE_ALIGNED(header.n_namesz);
        size_t next = description + NOTE_ALIGNED(header.n_descsz);
        if (description + header.n_descsz > bytes) {
            return false;
        }
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0 &&
            2 * (size_t)header.n_descsz < size) {
            for (size_t i = 0; i < header.n_descsz; ++i) {
                snprintf(hex + 2 * i, 3, "%02x", notes[description + i]);
            }
            return header.n_descsz > 0;
        }
        if (next > bytes) {
            return false;
        }
        at = next;
    }
    return false;
}

static bool find_in_image(const unsigned char *image, size_t bytes, char *hex, size_t size)
{
    Elf64_Ehdr header;
    if (bytes < sizeof header) {
        return false;
    }
    memcpy(&header, image, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
        return false;
    }
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        uint64_t at = header.e_phoff + i * sizeof segment;
        if (at > bytes || bytes - at < sizeof segment) {
            return false;
        }
        memcpy(&segment, image + at, sizeof segment);
        bool inside = segment.p_offset <= bytes && segment.p_filesz <= bytes - segment.p_offset;
        if (segment.p_type == PT_NOTE && inside && find_in_notes(image + segment.p_offset, segment.p_filesz, hex, size)) {
            return true;
        }
    }
    return false;
}

bool cupel_build_id_read(const char *path, char *hex, size_t size)
{
    bool found = false;
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            found = find_in_image(image, bytes, hex, size);
            munmap(image, bytes);
        }
    }
    close(file);
    return found;
}
