// The library's messages name its options as a program sets them; people at a shell type flags.
#include <array>
#include <utility>

#include "cli/console.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

constexpr std::array flags_of_options{
    std::pair{"OnDamage::refuse", "--strict"},
    std::pair{"ResumeOptions::verify_payloads", "--verify"},
    std::pair{"ResumeOptions::concurrency", "--concurrency"},
    std::pair{"ResumeOptions::from", "--from"},
    std::pair{"ResumeOptions::redo", "--redo"},
    std::pair{"ResumeOptions::adopt", "--adopt"},
    std::pair{"ResumeOptions::accept", "--accept"},
    std::pair{"ResumeOptions::reject", "--reject"},
    std::pair{"ResumeOptions::pin", "--pin"},
    std::pair{"ResumeOptions::unpin", "--unpin"},
    std::pair{"ResumeOptions::run_budget", "--run-budget"},
    std::pair{"ResumeOptions::lock_wait", "--wait 10m"},
};
/// Options that are set to the name of a stage or item.
constexpr std::array selections{"accept", "reject", "pin", "unpin", "redo", "from"};

void replace(std::string& text, std::string_view name, std::string_view flag) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + flag.size())) {
    text.replace(at, name.size(), flag);
  }
}

/// `redo 'draft'`, which names a stage, can be typed as `--redo draft`.
void replace_redo(std::string& text) {
  constexpr std::string_view redo = "redo '";
  const std::size_t at = text.find(redo);
  const std::size_t end = at == text.npos ? at : text.find('\'', at + redo.size());
  if (end == text.npos) return;
  const std::string stage = text.substr(at + redo.size(), end - at - redo.size());
  text.replace(at, end + 1 - at, "use --redo " + shell_quote(stage));
}

/// `.reject = {"draft"}`, as core::set_option() writes it, is typed as `--reject draft`.
void replace_selection(std::string& text, const std::string& option) {
  const std::string begin = "." + option + " = {\"";
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    std::string selector;
    std::size_t end = at + begin.size();
    for (; end < text.size() && text[end] != '"'; ++end) {
      if (text[end] == '\\' && end + 1 < text.size() && text[end + 1] != 'x') ++end;
      selector += text[end];
    }
    if (text.compare(end, 2, "\"}") != 0) return;
    text.replace(at, end + 2 - at, "--" + option + " " + shell_quote(selector));
  }
}

}  // namespace

std::string with_flags(std::string text) {
  for (const auto& [name, flag] : flags_of_options) replace(text, name, flag);
  for (const char* option : selections) replace_selection(text, option);
  replace_redo(text);
  return text;
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
