/* svm.c - attributes of address ranges: they are kept and returned. Once an agent is given access to a range, kernels
 * can access it. Memory does not move, so attributes have no other effect. */
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"

struct og_hsa_attribute {
  struct og_hsa_attribute *next; /* older */
  uint64_t start, end;
  uint64_t attribute, value; /* access: the query's attribute, and the agent as value */
  uint64_t access;           /* which of the three kinds of access */
};

static bool is_access(uint64_t attribute) {
  return attribute >= HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE && attribute <= HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
}

static bool is_plain(uint64_t attribute) {
  return attribute <= HSA_AMD_SVM_ATTRIB_READ_MOSTLY && attribute != HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION;
}

static bool is_agent_or_none(uint64_t handle) {
  return handle == 0 || og_hsa_agent((hsa_agent_t){handle});
}

static bool can_set(const hsa_amd_svm_attribute_pair_t *pair) {
  if (is_access(pair->attribute))
    return og_hsa_agent((hsa_agent_t){pair->value}) != NULL;
  return is_plain(pair->attribute) &&
         (pair->attribute != HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION || is_agent_or_none(pair->value));
}

/* Whether a newer entry replaces an older one completely. */
static bool covers(const struct og_hsa_attribute *newer, const struct og_hsa_attribute *older) {
  return newer->attribute == older->attribute && newer->start <= older->start && newer->end >= older->end &&
         (newer->attribute != HSA_AMD_SVM_ATTRIB_ACCESS_QUERY || newer->value == older->value);
}

static bool note(uint64_t start, uint64_t end, uint64_t attribute, uint64_t value, uint64_t access) {
  struct og_hsa_attribute *made = malloc(sizeof *made);
  if (!made)
    return false;
  pthread_mutex_lock(&og_hsa.memory_lock);
  *made = (struct og_hsa_attribute){og_hsa.attributes, start, end, attribute, value, access};
  og_hsa.attributes = made;
  for (struct og_hsa_attribute **link = &made->next; *link;) {
    struct og_hsa_attribute *older = *link;
    if (covers(made, older)) {
      *link = older->next;
      free(older);
    } else {
      link = &older->next;
    }
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return true;
}

void og_hsa_attributes_close(void) {
  while (og_hsa.attributes) {
    struct og_hsa_attribute *next = og_hsa.attributes->next;
    free(og_hsa.attributes);
    og_hsa.attributes = next;
  }
}

bool og_hsa_note_prefetch(const void *memory, size_t size, hsa_agent_t agent) {
  return note((uintptr_t)memory, (uintptr_t)memory + size, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, agent.handle, 0);
}

hsa_status_t hsa_amd_svm_attributes_set(void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(memory && size && (uintptr_t)memory + size > (uintptr_t)memory && (list || count == 0));
  for (size_t i = 0; i < count; i++)
    OG_HSA_NEED_ARGUMENT(can_set(&list[i]));
  uint64_t start = (uintptr_t)memory, end = start + size;
  for (size_t i = 0; i < count; i++) {
    bool access = is_access(list[i].attribute);
    if (access && list[i].attribute != HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS)
      og_memory_share(og_hsa.runtime, memory, size, OG_MEMORY_READ | OG_MEMORY_WRITE); /* or they reach it already */
    OG_HSA_NEED(note(start, end, access ? (uint64_t)HSA_AMD_SVM_ATTRIB_ACCESS_QUERY : list[i].attribute, list[i].value,
                     list[i].attribute),
                HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  }
  return HSA_STATUS_SUCCESS;
}

/* The newest entry that covers all of the range. */
static const struct og_hsa_attribute *find(uint64_t start, uint64_t end, uint64_t attribute, uint64_t agent) {
  const struct og_hsa_attribute *a = og_hsa.attributes;
  while (a && (a->attribute != attribute || a->start > start || a->end < end ||
               (attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY && a->value != agent)))
    a = a->next;
  return a;
}

static void answer(uint64_t start, uint64_t end, hsa_amd_svm_attribute_pair_t *pair) {
  const struct og_hsa_attribute *found = find(start, end, pair->attribute, pair->value);
  if (pair->attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY)
    pair->attribute = found ? found->access : (uint64_t)HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
  else
    pair->value = found ? found->value : 0;
}

hsa_status_t hsa_amd_svm_attributes_get(void *memory, size_t size, hsa_amd_svm_attribute_pair_t *list, size_t count) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(memory && size && (uintptr_t)memory + size > (uintptr_t)memory && (list || count == 0));
  for (size_t i = 0; i < count; i++)
    OG_HSA_NEED_ARGUMENT(is_plain(list[i].attribute) || list[i].attribute == HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION ||
                         list[i].attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY);
  pthread_mutex_lock(&og_hsa.memory_lock);
  for (size_t i = 0; i < count; i++)
    answer((uintptr_t)memory, (uintptr_t)memory + size, &list[i]);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return HSA_STATUS_SUCCESS;
}
