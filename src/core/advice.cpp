#include "core/advice.hpp"

#include <array>

#include <fmt/format.h>

#include "core/text.hpp"

namespace resumable {
inline namespace v0 {
namespace {

struct Written {
  std::string_view name;
  std::string_view code;  ///< of an option that names a stage or item: its field
};

constexpr std::array written{
    Written{"redo", "redo"},
    Written{"from", "from"},
    Written{"reject", "reject"},
    Written{"accept", "accept"},
    Written{"pin", "pin"},
    Written{"unpin", "unpin"},
    Written{"adopt", "ResumeOptions::adopt"},
    Written{"concurrency", "ResumeOptions::concurrency"},
    Written{"on_damage", "OnDamage::refuse"},
    Written{"verify_payloads", "ResumeOptions::verify_payloads"},
    Written{"run_budget", "ResumeOptions::run_budget"},
    Written{"lock_wait", "ResumeOptions::lock_wait"},
    Written{"store_timeout", "ResumeOptions::store_timeout"},
    Written{"create_store", "CreateStore::if_absent"},
    Written{"exposed_folder", "ExposedFolder::warn"},
    Written{"shared_folder", "SharedFileSystem::allow"},
};

const Written& written_of(Option option) { return written.at(static_cast<std::size_t>(option)); }

/// A string literal of C++.
std::string literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return core::escaped(quoted + "\"");
}

}  // namespace

std::string_view to_string(Option option) noexcept { return written_of(option).name; }

std::string as_code(const Advice& advice) {
  const Written& option = written_of(advice.option);
  if (!advice.selector.empty()) {
    return fmt::format(".{} = {{{}}}", option.name, literal(advice.selector));
  }
  const bool field = advice.option <= Option::unpin;
  return fmt::format("{}{}{}", advice.leave_out ? "without " : "", field ? "ResumeOptions::" : "",
                     option.code);
}

}  // namespace v0
}  // namespace resumable

namespace resumable::core {

std::string with_advice(std::string_view sentence, std::span<const Advice> all,
                        AdviceWriter write) {
  std::string text;
  for (const Advice& one : all) {
    const std::string option = write(one);
    if (option.empty()) continue;
    if (!text.empty()) text += ", ";
    text += option;
    if (!one.purpose.empty()) text += " " + one.purpose;
  }
  return fmt::format("{}{}{}{}{}", sentence, sentence.empty() || text.empty() ? "" : " ",
                     text.empty() ? "" : "(", text, text.empty() ? "" : ")");
}

}  // namespace resumable::core
