#include "memo/linking.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/statements.hpp"

namespace memo {
namespace {

std::vector<SourcedLink> all_links(const Sources& sources) {
  std::vector<SourcedLink> out;
  for (const auto& source : sources) {
    if (is_records(source)) continue;
    for (auto& link : links(source.text)) {
      out.push_back({std::move(link.text), std::move(link.url), source.path});
    }
  }
  return out;
}

/// Lower case, letters and figures only: `acme.org` and `acme-org` become the same.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : to_lower(text)) {
    if (is_word(c)) out += c;
  }
  return out;
}

bool is_social(std::string_view url) {
  static constexpr std::array<std::string_view, 8> hosts{
      "linkedin.com/company", "twitter.com", "//x.com",       "github.com",
      "facebook.com",         "youtube.com", "statuspage.io", "mastodon"};
  return std::ranges::any_of(hosts, [&](auto host) { return url.find(host) != npos; });
}

/// The account's address without the page: `https://github.com/acme`.
std::string account_of(const std::string& url) {
  const auto host = url.find("://") + 3;
  auto end = url.find('/', host);
  if (url.find("statuspage.io") == npos && end != npos) end = url.find('/', end + 1);
  return url.substr(0, end);
}

bool is_small_word(std::string_view word) {
  static constexpr std::array<std::string_view, 7> small{"of", "and", "the", "for",
                                                         "on", "in",  "a"};
  return std::ranges::find(small, word) != small.end();
}

bool is_capitalised(std::string_view text) {
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty() || is_small_word(word)) continue;
    if (!std::isupper(static_cast<unsigned char>(word[0])) &&
        !std::isdigit(static_cast<unsigned char>(word[0]))) {
      return false;
    }
  }
  return true;
}

/// A proper name, not a phrase such as `Learn more`.
bool is_name(std::string_view text, std::string_view company) {
  static constexpr std::array<std::string_view, 10> verbs{
      "Contact", "Incident", "Learn", "Read", "Sign", "Watch", "Download", "Let", "See", "More"};
  if (text == company) return true;
  if (text.size() < 3 || text.size() > 45 || text.ends_with('.')) return false;
  const auto first = text.substr(0, text.find(' '));
  return is_capitalised(text) && std::ranges::find(verbs, first) == verbs.end();
}

/// Where `name` stands as a whole word of running text in `line`.
std::optional<std::size_t> mention(std::string_view line, std::string_view name) {
  int brackets = 0;
  for (std::size_t at = 0; at + name.size() <= line.size(); ++at) {
    const char c = line[at];
    if (brackets == 0 && line.substr(at).starts_with(name)) {
      const auto end = at + name.size();
      const bool head = at == 0 || (!is_word(line[at - 1]) && line[at - 1] != '/' &&
                                    line[at - 1] != '@' && line[at - 1] != '.');
      const bool tail = end == line.size() || (!is_word(line[end]) && line[end] != '@');
      if (head && tail) return at;
    }
    // Link texts and addresses are no running text; the memo's sentences balance their brackets.
    if (c == '[' || (c == '(' && at > 0 && line[at - 1] == ']')) ++brackets;
    if (c == ']' || (c == ')' && brackets > 0)) --brackets;
  }
  return std::nullopt;
}

bool is_prose(std::string_view line) {
  return !line.empty() && line[0] != '#' && line[0] != '|' && line[0] != '<' && line[0] != '-' &&
         !line.starts_with(caption_mark) && !is_silence(line);
}

bool is_mentioned(const std::string& markdown, std::string_view name) {
  return std::ranges::any_of(lines(markdown), [&](auto line) {
    return is_prose(line) && mention(line, name).has_value();
  });
}

struct Mentions {
  int count = 0;
  std::string source;
};

/// The address used most often; of equals the shortest, then the first in alphabetical order.
SourcedLink most_used(const std::string& name, const std::map<std::string, Mentions>& addresses) {
  const auto best = std::ranges::max_element(addresses, {}, [](const auto& entry) {
    return std::pair{entry.second.count, -std::ssize(entry.first)};
  });
  return {name, best->first, best->second.source};
}

}  // namespace

std::vector<SourcedLink> links_to(const Sources& sources, std::string_view part) {
  std::map<std::string, SourcedLink> by_url;
  for (auto& link : all_links(sources)) {
    if (link.url.find(part) != npos) by_url.emplace(link.url, link);
  }
  std::vector<SourcedLink> out;
  for (auto& [url, link] : by_url) out.push_back(std::move(link));
  return out;
}

std::vector<SourcedLink> channels_of(const std::string& company, const Sources& sources) {
  std::map<std::string, SourcedLink> by_account;
  for (const auto& link : all_links(sources)) {
    const std::string account = account_of(link.url);
    const bool own = is_social(account) && squeezed(account).find(squeezed(company)) != npos;
    if (own)
      by_account.emplace(account,
                         SourcedLink{account.substr(account.find("//") + 2), account, link.source});
  }
  std::vector<SourcedLink> out;
  for (auto& [account, link] : by_account) out.push_back(std::move(link));
  return out;
}

std::vector<SourcedLink> entities_in(const std::string& markdown, const std::string& company,
                                     const Sources& sources) {
  std::map<std::string, std::map<std::string, Mentions>> names;
  for (const auto& link : all_links(sources)) {
    if (!is_name(link.text, company) || !is_mentioned(markdown, link.text)) continue;
    Mentions& uses = names[link.text][link.url];
    if (++uses.count == 1) uses.source = link.source;
  }
  std::vector<SourcedLink> out;
  for (const auto& [name, addresses] : names) out.push_back(most_used(name, addresses));
  std::ranges::stable_sort(out, std::greater<>{},
                           [](const auto& link) { return link.text.size(); });
  return out;
}

std::string with_link(const std::string& markdown, const SourcedLink& link) {
  std::string out;
  bool done = false;
  for (const auto line : lines(markdown)) {
    const auto at = done || !is_prose(line) ? std::nullopt : mention(line, link.text);
    out += line;
    if (at) {
      out.replace(out.size() - line.size() + *at, link.text.size(),
                  "[" + link.text + "](" + link.url + ")");
      done = true;
    }
    out += '\n';
  }
  return out;
}

}  // namespace memo
