#include "research/topic.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "research/text.hpp"

namespace research {

std::vector<std::string> topic_terms(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string& word : words(text)) {
    const bool long_enough = word.size() > 1 || is_number(word);
    if (long_enough && !is_stop_word(word)) found.push_back(stem(word));
  }
  return found;
}

std::string head_of(const std::string& topic) {
  static const std::set<std::string_view> behind{"of", "on", "in",   "at",  "for", "with",
                                                 "by", "to", "from", "and", "or"};
  std::string head;
  for (const std::string& word : words(topic)) {
    if (!head.empty() && behind.contains(word)) break;
    if (const auto terms = topic_terms(word); !terms.empty()) head = terms.back();
  }
  return head;
}

std::string initials_of(const std::string& topic) {
  std::string initials;
  for (const std::string& word : words(topic)) {
    if (topic_terms(word).empty()) continue;
    initials += static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  }
  return initials.size() < 3 ? "" : initials;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (word.empty()) return false;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_of_word(text[at - 1]);
    if (begins && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

std::size_t closeness(const std::string& title, const std::string& topic) {
  const auto of_topic = topic_terms(topic);
  const auto of_title = topic_terms(title);
  const std::set<std::string> asked(of_topic.begin(), of_topic.end());
  const std::set<std::string> held(of_title.begin(), of_title.end());
  if (asked.empty() || !std::ranges::includes(held, asked)) return 0;
  const auto others = std::ranges::count_if(
      held, [&](const auto& one) { return !is_number(one) && !asked.contains(one); });
  return 1000 * asked.size() / (asked.size() + static_cast<std::size_t>(others));
}

}  // namespace research
