/// @file
/// The text of --help.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

/// What a command does, how it is typed, its arguments, flags and commands, and examples: the
/// command's footer. Wrapped at the terminal's width, at most 100 columns.
class Help final : public CLI::FormatterBase {
 public:
  /// `console` must outlive the formatter.
  explicit Help(const Console& console) : console_(console) {}
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  const Console& console_;
};

/// `--out DIR`, `-h, --help`; of an argument `COMPANY`.
[[nodiscard]] RESUMABLE_EXPORT std::string usage_of(const CLI::Option& option);

}  // namespace cli
}  // namespace v0
}  // namespace resumable
