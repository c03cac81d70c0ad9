/* Random rule sets, in every build: the fuzz target on seeded random bytes. EGRAPH_TEST_ROUNDS multiplies. */
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void random_rule_sets(void **state) {
  (void)state;
  const char *text = getenv("EGRAPH_TEST_ROUNDS");
  unsigned rounds = 3000 * (text ? (unsigned)atoi(text) : 1);
  for (unsigned round = 0; round < rounds; round++) {
    uint64_t seed = round;
    uint8_t bytes[120];
    uint32_t size = 3 + random_below(&seed, sizeof bytes - 3);
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_below(&seed, 256);
    LLVMFuzzerTestOneInput(bytes, size);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rule_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
