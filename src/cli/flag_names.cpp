// Options that a message advises, as people type them.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/console.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

constexpr std::array flags{
    std::pair{Option::redo, "--redo"},
    std::pair{Option::from, "--from"},
    std::pair{Option::reject, "--reject"},
    std::pair{Option::accept, "--accept"},
    std::pair{Option::pin, "--pin"},
    std::pair{Option::unpin, "--unpin"},
    std::pair{Option::adopt, "--adopt"},
    std::pair{Option::concurrency, "--concurrency"},
    std::pair{Option::on_damage, "--strict"},
    std::pair{Option::verify_payloads, "--verify"},
    std::pair{Option::run_budget, "--run-budget"},
    std::pair{Option::lock_wait, "--wait"},
    std::pair{Option::store_timeout, "--store-timeout"},
};

std::string name_of(Option option) {
  for (const auto& [known, flag] : flags) {
    if (known == option) return flag;
  }
  return {};
}

bool has_flag(const CLI::App& app, const std::string& flag) {
  if (app.get_option_no_throw(flag) != nullptr) return true;
  const auto commands = app.get_subcommands({});
  return std::ranges::any_of(commands, [&](const CLI::App* one) { return has_flag(*one, flag); });
}

}  // namespace

std::string program_flag(const Advice& advice) {
  const std::string flag = name_of(advice.option);
  if (flag.empty()) return {};
  if (advice.leave_out) return "without " + flag;
  if (advice.option == Option::lock_wait) return flag + " 10m";
  if (advice.option == Option::store_timeout) return flag + " 5m";
  return advice.selector.empty() ? flag : flag + " " + shell_quote(advice.selector);
}

std::string flag_of(const Console& console, const Advice& advice) {
  const bool lacks = console.app != nullptr && !has_flag(*console.app, name_of(advice.option));
  return lacks ? std::string{} : program_flag(advice);
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
