#include "inspector/json_diff.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

using Tree = core::OrderedJson;

std::string text_of(const Tree& value) {
  return value.dump(-1, ' ', false, Tree::error_handler_t::replace);
}

std::string step(std::string_view key) {
  std::string text = "/";
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::size_t leaves(const Tree& value) {
  if (!value.is_structured()) return 1;
  std::size_t count = 0;
  for (const Tree& one : value) count += leaves(one);
  return count;
}

/// How many elements are the same at the beginning and at the end of two lists.
template <class List>
std::pair<std::size_t, std::size_t> aligned(const List& before, const List& after) {
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t front = 0;
  while (front < most && before[front] == after[front]) ++front;
  std::size_t back = 0;
  while (back < most - front &&
         before[before.size() - 1 - back] == after[after.size() - 1 - back]) {
    ++back;
  }
  return {front, back};
}

class Comparing {
 public:
  explicit Comparing(Differences& result) : result_(result) {}

  void compare(const Tree& before, const Tree& after, const std::string& pointer) {
    if (before == after) {
      result_.unchanged += leaves(before);
    } else if (before.is_object() && after.is_object()) {
      compare_objects(before, after, pointer);
    } else if (before.is_array() && after.is_array()) {
      compare_lists(before, after, pointer);
    } else {
      result_.changes.push_back({pointer, text_of(before), text_of(after)});
    }
  }

 private:
  void compare_objects(const Tree& before, const Tree& after, const std::string& pointer) {
    for (const auto& [key, value] : before.items()) {
      const auto found = after.find(key);
      if (found == after.end()) {
        result_.changes.push_back({pointer + step(key), text_of(value), ""});
      } else {
        compare(value, *found, pointer + step(key));
      }
    }
    for (const auto& [key, value] : after.items()) {
      if (!before.contains(key)) {
        result_.changes.push_back({pointer + step(key), "", text_of(value)});
      }
    }
  }

  void compare_lists(const Tree& before, const Tree& after, const std::string& pointer) {
    const auto [front, back] = aligned(before, after);
    for (std::size_t i = 0; i < front; ++i) result_.unchanged += leaves(before[i]);
    for (std::size_t i = 0; i < back; ++i) {
      result_.unchanged += leaves(before[before.size() - 1 - i]);
    }
    const std::size_t old_end = before.size() - back;
    const std::size_t new_end = after.size() - back;
    for (std::size_t i = front; i < std::max(old_end, new_end); ++i) {
      const std::string place = pointer + "/" + std::to_string(i);
      if (i < old_end && i < new_end) {
        compare(before[i], after[i], place);
      } else {
        result_.changes.push_back(
            {place, i < old_end ? text_of(before[i]) : "", i < new_end ? text_of(after[i]) : ""});
      }
    }
  }

  Differences& result_;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Differences diff_json(const Tree& before, const Tree& after) {
  Differences result;
  Comparing{result}.compare(before, after, "");
  return result;
}

Differences diff_text(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const auto [front, back] = aligned(old_lines, new_lines);
  Differences result;
  result.unchanged = front + back;
  const std::size_t old_end = old_lines.size() - back;
  const std::size_t new_end = new_lines.size() - back;
  for (std::size_t i = front; i < std::max(old_end, new_end); ++i) {
    result.changes.push_back({fmt::format("line {}", i + 1), i < old_end ? old_lines[i] : "",
                              i < new_end ? new_lines[i] : ""});
  }
  return result;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
