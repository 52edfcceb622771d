#include "corpus/outline.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>

#include "text/passages.hpp"
#include "text/words.hpp"

namespace corpus {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw rs::Error(
      rs::Errc::source_failed,
      {.what = "the outline cannot be used: " + why,
       .file = file,
       .kept = "nothing was changed",
       .next = R"(name a file like {"domains":[{"label":"…","microthesauri":[{"label":"…",)"
               R"("concepts":["…"]}]}]})"});
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

/// White space, no-break spaces included, as single spaces; none at the ends.
std::string tidy(std::string text) {
  constexpr std::string_view no_break = "\u00a0";
  for (std::size_t at; (at = text.find(no_break)) != text.npos;) {
    text.replace(at, no_break.size(), " ");
  }
  return text::collapsed(text);
}

/// `AGRI-FOODSTUFFS` and `political framework` in title case; `EU finance` keeps its capitals.
std::string title_case(std::string label) {
  static constexpr std::array<std::string_view, 9> small{"and", "at",  "by", "for", "in",
                                                         "of",  "the", "to", "with"};
  const bool shouted = label.size() > 2 && std::none_of(label.begin(), label.end(), is_lower);
  if (shouted) label = text::in_lower_case(std::move(label));
  for (std::size_t from = 0; from < label.size();) {
    const std::size_t to = std::min(label.find(' ', from), label.size());
    const std::string_view word = std::string_view{label}.substr(from, to - from);
    const bool is_small = std::find(small.begin(), small.end(), word) != small.end();
    if (from == 0 || !is_small) label[from] = to_upper(label[from]);
    from = to + 1;
  }
  return label;
}

Heading read_heading(const Json& json) {
  Heading heading{title_case(tidy(json.at("label").get<std::string>())), {}};
  for (const Json& term : json.at("concepts")) {
    std::string text = tidy(term.get<std::string>());
    if (!text.empty()) heading.terms.push_back(std::move(text));
  }
  return heading;
}

std::vector<Domain> read_domains(const Json& json) {
  std::vector<Domain> domains;
  for (const Json& one : json.at("domains")) {
    Domain domain{title_case(tidy(one.at("label").get<std::string>())), {}, 0};
    for (const Json& heading : one.at("microthesauri")) {
      domain.headings.push_back(read_heading(heading));
    }
    domains.push_back(std::move(domain));
  }
  return domains;
}

/// Adds to the names of files, of which one file system may hold two to be the same.
void add_name(std::map<std::string, std::string>& names, const std::string& file,
              const std::string& name, const std::string& as_file) {
  if (as_file.empty()) refuse(file, fmt::format("'{}' has no letter or digit", name));
  const auto [other, is_new] = names.emplace(text::in_lower_case(as_file), name);
  if (is_new) return;
  refuse(file, fmt::format("'{}' and '{}' would both be kept as {}", other->second, name, as_file));
}

}  // namespace

std::string section_name(const std::string& domain, const std::string& title) {
  return domain + ": " + title;
}

std::string file_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == ':') {
      result += '_';
    } else if (text::is_letter(c) || text::is_digit(c) || c == '-') {
      result += c;
    }
  }
  result.erase(0, std::min(result.find_first_not_of("_-"), result.size()));
  return result;
}

std::string expansion_key(std::string_view label) {
  std::string key = file_name(label);
  const auto both = [](char a, char b) { return a == '_' && b == '_'; };
  key.erase(std::unique(key.begin(), key.end(), both), key.end());
  return key;
}

bool is_section(std::string_view key) { return key.find("__") != key.npos; }

std::vector<Domain> read_outline(std::string_view json, const std::string& file) {
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) refuse(file, "it is not whole JSON");
  std::vector<Domain> domains;
  try {
    domains = read_domains(document);
  } catch (const Json::exception& error) {
    refuse(file, error.what());
  }
  std::map<std::string, std::string> chapters;
  std::map<std::string, std::string> sections;
  for (const Domain& domain : domains) {
    add_name(chapters, file, domain.label, expansion_key(domain.label));
    for (const Heading& heading : domain.headings) {
      const std::string name = section_name(domain.label, heading.title);
      add_name(sections, file, name, file_name(name));
    }
  }
  if (sections.empty()) refuse(file, "it asks for no section");
  return domains;
}

Piece first_piece(std::vector<Domain> outline, const std::string& city, std::size_t target_words,
                  std::size_t section_words) {
  std::size_t planned = 0;
  for (Domain& domain : outline) {
    while (domain.wanted < domain.headings.size() &&
           (target_words == 0 || planned < target_words)) {
      ++domain.wanted;
      planned += section_words;
    }
  }
  std::erase_if(outline, [](const Domain& domain) { return domain.wanted == 0; });
  Piece piece;
  piece.kind = Kind::concept_of_city;
  piece.key = concept_key;
  piece.name = "Concept";
  piece.city.name = city;
  piece.words = section_words;
  piece.domains = std::move(outline);
  return piece;
}

Piece expansion_piece(const Domain& domain, const City& city, std::size_t words) {
  Piece piece;
  piece.kind = Kind::expansion;
  piece.key = expansion_key(domain.label);
  piece.name = domain.label;
  piece.city = city;
  piece.words = words;
  piece.domains = {domain};
  return piece;
}

}  // namespace corpus
