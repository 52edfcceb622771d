// The numbers on the page of limits are those that the library enforces.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "core/run_id.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/error.hpp"
#include "resumable/name.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

std::string row(const std::string& page, const std::string& first) {
  const std::size_t at = page.find("| " + first + " |");
  return at == page.npos ? "" : page.substr(at, page.find('\n', at) - at);
}

TEST(Limits, AreThoseOnThePage) {
  const std::string page = read_file(source_folder() / "docs/platforms.md");
  EXPECT_THAT(row(page, "id of a run"),
              HasSubstr(fmt::format("{} bytes, no", core::max_run_bytes)));
  EXPECT_THAT(row(page, "id of a run"),
              HasSubstr(fmt::format("{} bytes as a file name", core::max_run_name_bytes)));
  EXPECT_THAT(row(page, "key of an item"),
              HasSubstr(fmt::format("1 to {} bytes", core::max_item_key_bytes)));
  EXPECT_THAT(row(page, "name of a step"),
              HasSubstr(fmt::format("1 to {} bytes", core::max_step_name_bytes)));
  EXPECT_THAT(row(page, "header of a record (inputs, artifacts)"),
              HasSubstr(fmt::format("{} KiB", core::max_header_bytes / 1024)));
  EXPECT_THAT(row(page, "nesting of JSON"),
              HasSubstr(fmt::format("{} levels", detail::max_json_depth)));
  EXPECT_THAT(row(page, "name of a stage or input"), HasSubstr("1 to 64 letters"));
  EXPECT_NO_THROW(static_cast<void>(Name::checked(std::string(64, 'a'))));
  EXPECT_THROW(static_cast<void>(Name::checked(std::string(65, 'a'))), Error);
}

TEST(Limits, OfARunsIdSayWhatToDoAboutEscapes) {
  EXPECT_NO_THROW(static_cast<void>(core::encode_run(std::string(80, ' '))));
  try {
    static_cast<void>(core::encode_run(std::string(81, ' ')));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.info().what, HasSubstr("it needs 243 bytes as a file name, and 240 is"));
    EXPECT_THAT(error.info().next, HasSubstr("each other byte takes three"));
  }
}

}  // namespace
}  // namespace resumable::test
