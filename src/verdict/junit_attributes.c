// SPDX-License-Identifier: Apache-2.0
// The attributes of an element: each must be known there, and means what its element makes of it.
#include "junit_internal.h"

#include <libxml/xmlreader.h>
#include <stdint.h>
#include <string.h>

static bool attribute_know(cupel_junit_reader *reader, const char *name, cupel_element element, cupel_attribute *attribute)
{
    cupel_junit_memory *memory = &reader->memory[((uintptr_t)name >> 3) % (sizeof reader->memory / sizeof reader->memory[0])];
    if (memory->name == name && memory->element == element) {
        *attribute = memory->attribute;
        return true;
    }
    if (!cupel_attribute_find(name, element, attribute)) {
        return false;
    }
    *memory = (cupel_junit_memory){name, element, *attribute};
    return true;
}

static bool attribute_use(cupel_junit_reader *reader, cupel_element element, const char *name, const char *value,
                          const char **message)
{
    cupel_attribute attribute;
    if (!attribute_know(reader, name, element, &attribute)) {
        if (element == ELEMENT_TESTSUITES || element == ELEMENT_TESTSUITE) {
            return cupel_junit_suite_property(reader, name);
        }
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "element %s has an unknown attribute %.60s",
                                 cupel_element_name(element), name);
    }
    switch (element) {
    case ELEMENT_TESTSUITES:
    case ELEMENT_TESTSUITE:
        return cupel_junit_suite_attribute(reader, attribute, name, value);
    case ELEMENT_TESTCASE:
        return cupel_junit_case_attribute(reader, attribute, name, value);
    default:
        if (attribute == ATTRIBUTE_MESSAGE) {
            cupel_junit_text_clear(&reader->scratch);
            *message = value;
            return cupel_junit_text_append(&reader->scratch, value, strlen(value), 2 * CUPEL_JUNIT_MAX_MESSAGE);
        }
        return true;
    }
}

// The parser's own list of attributes, when each has a plain name and one piece of text; the reader's calls for the same look every
// name up again. Null otherwise.
static const xmlAttr *attributes_plain(const cupel_junit_reader *reader)
{
    const xmlNode *node = xmlTextReaderCurrentNode(reader->xml);
    if (node == NULL || node->type != XML_ELEMENT_NODE || node->nsDef != NULL) {
        return NULL;
    }
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        const xmlNode *text = attribute->children;
        if (attribute->ns != NULL || (text != NULL && (text->type != XML_TEXT_NODE || text->next != NULL))) {
            return NULL;
        }
    }
    return node->properties;
}

bool cupel_junit_attributes_read(cupel_junit_reader *reader, cupel_element element, const char **message)
{
    bool good = true;
    const xmlAttr *plain = attributes_plain(reader);
    for (const xmlAttr *attribute = plain; good && attribute != NULL; attribute = attribute->next) {
        const xmlNode *text = attribute->children;
        const char *value = text == NULL || text->content == NULL ? "" : (const char *)text->content;
        good = attribute_use(reader, element, (const char *)attribute->name, value, message);
    }
    if (plain == NULL) {
        for (int more = xmlTextReaderMoveToFirstAttribute(reader->xml); good && more == 1;
             more = xmlTextReaderMoveToNextAttribute(reader->xml)) {
            const char *name = (const char *)xmlTextReaderConstName(reader->xml);
            const char *value = (const char *)xmlTextReaderConstValue(reader->xml);
            good = attribute_use(reader, element, name, value == NULL ? "" : value, message);
        }
        xmlTextReaderMoveToElement(reader->xml);
    }
    if (*message != NULL) {
        *message = cupel_junit_text_get(&reader->scratch);
    }
    return good;
}
