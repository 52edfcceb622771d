#include "research/topic.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "research/text.hpp"

namespace research {

std::vector<std::string> topic_terms(const std::string& text) {
  std::vector<std::string> found;
  const auto all = words(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& word = all[i];
    // `In the course of 50 years` is about no course.
    const bool idiom = word == "course" && i > 1 && i + 1 < all.size() && all[i - 1] == "the" &&
                       all[i + 1] == "of" && (all[i - 2] == "in" || all[i - 2] == "over");
    if (idiom) continue;
    const bool long_enough = word.size() > 1 || is_number(word);
    if (long_enough && !is_stop_word(word)) found.push_back(stem(word));
  }
  return found;
}

namespace {

bool is_of_money(const std::string& word) {
  static const std::set<std::string_view> all{
      "cost", "costs",  "price",  "prices",  "fee",  "fees",  "charge", "charges", "paid",    "pay",
      "pays", "paying", "tariff", "tariffs", "rate", "rates", "prize",  "expense", "expenses"};
  return all.contains(word);
}

bool is_of_time(const std::string& word) {
  static const std::set<std::string_view> all{"when",  "date",     "dates",    "hours",
                                              "times", "schedule", "timetable"};
  return all.contains(word);
}

bool is_of_way(const std::string& word) {
  static const std::set<std::string_view> all{"join",  "joining",  "become",   "becoming",
                                              "apply", "applying", "book",     "booking",
                                              "get",   "getting",  "register", "registering"};
  return all.contains(word);
}

}  // namespace

Asks asked_by(const std::string& topic) {
  const auto all = words(topic);
  if (all.empty()) return Asks::anything;
  if (std::ranges::any_of(all, is_of_money)) return Asks::money;
  if (std::ranges::any_of(all, is_of_time)) return Asks::time;
  const bool how = all.size() > 2 && all[0] == "how" && (all[1] == "to" || all[1] == "can");
  return how || (is_of_way(all[0]) && all[0].ends_with("ing")) ? Asks::way : Asks::anything;
}

std::string subject_of(const std::string& topic) {
  const bool way = asked_by(topic) == Asks::way;
  std::string rest;
  for (const std::string& word : words(topic)) {
    if (!is_of_money(word) && !is_of_time(word) && !(way && is_of_way(word))) rest += word + " ";
  }
  return topic_terms(rest).empty() ? topic : rest;
}

std::vector<std::string> subject_terms(const std::string& topic) {
  return topic_terms(subject_of(topic));
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

std::string subject_head(const std::string& topic) {
  static const std::set<std::string_view> between{"of", "for", "is", "are", "to", "in", "on"};
  std::string rest;
  for (const std::string& word : words(topic)) {
    const bool generic = is_of_money(word) || is_of_time(word);
    if (generic) rest.clear();
    if (!generic && !(rest.empty() && between.contains(word))) rest += word + " ";
  }
  const std::string head = head_of(rest);
  return head.empty() ? head_of(topic) : head;
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
