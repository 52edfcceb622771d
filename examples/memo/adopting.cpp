// The inverse of what the stages export. The library calls these when a file is not what it wrote.
#include "memo/adopting.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "memo/memo_text.hpp"
#include "model/asking.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

constexpr const char* deck_file = "0-deck-analysis.json";
constexpr const char* research_file = "1-research.json";
constexpr const char* briefs_file = "1-section-research.json";

/// Throws for a field of `given` that `understood` does not have: it would be lost.
void check_fields(const Json& given, const Json& understood, const std::string& where) {
  if (given.is_object()) {
    for (const auto& [name, value] : given.items()) {
      if (understood.contains(name)) {
        check_fields(value, understood[name], where + '/' + name);
      } else if (name != "by_hand") {  // false is what its absence says
        throw std::invalid_argument{fmt::format("{}/{} is no field that a memo has", where, name)};
      }
    }
  }
  if (!given.is_array() || !understood.is_array()) return;
  for (std::size_t i = 0; i < std::min(given.size(), understood.size()); ++i) {
    check_fields(given[i], understood[i], fmt::format("{}/{}", where, i));
  }
}

template <class Value>
Value parsed(std::string_view text) {
  const Json json = Json::parse(text);
  try {
    auto value = json.get<Value>();
    check_fields(json, Json(value), "");
    return value;
  } catch (const Json::exception& error) {
    throw std::invalid_argument{model::in_words(error)};
  }
}

/// Marks what was written by hand, with the line where it stands in the file.
class ByHand {
 public:
  ByHand(std::string_view text, std::string file) : text_{text}, file_{std::move(file)} {}

  void mark(std::vector<Quote>& quotes, const std::vector<Quote>& former) {
    for (Quote& quote : quotes) {
      const bool is_new = std::ranges::find(former, quote) == former.end();
      if (!is_new && quote.file != file_) continue;
      quote.by_hand = true;
      quote.file = file_;
      quote.line = line_of(quote.text);
    }
  }

  /// Without a former value: what names no source was written by hand.
  void mark(std::vector<Quote>& quotes) {
    std::vector<Quote> sourced = quotes;
    std::erase_if(sourced, [](const Quote& quote) { return quote.file.empty(); });
    mark(quotes, sourced);
  }

 private:
  int line_of(const std::string& quote) {
    const std::string written = Json(quote).dump();
    auto at = text_.find(written, from_);
    if (at == text_.npos) at = text_.find(written);
    if (at == text_.npos) at = from_;  // it is escaped in another way
    from_ = std::min(at + 1, text_.size());
    return 1 + static_cast<int>(std::ranges::count(text_.substr(0, at), '\n'));
  }

  std::string_view text_;
  std::string file_;
  std::size_t from_ = 0;
};

std::vector<Quote> quotes_of(const std::vector<Finding>& findings) {
  std::vector<Quote> quotes;
  for (const auto& one : findings)
    quotes.insert(quotes.end(), one.quotes.begin(), one.quotes.end());
  return quotes;
}

std::vector<Quote> quotes_of(const std::vector<Brief>& briefs) {
  std::vector<Quote> quotes;
  for (const auto& brief : briefs) {
    for (const auto& part : brief.parts)
      quotes.insert(quotes.end(), part.quotes.begin(), part.quotes.end());
  }
  return quotes;
}

/// Of Deck and Research. `former` is null if there was none.
template <class Value>
Value with_findings(const std::string& text, const char* file, const Value* former) {
  auto value = parsed<Value>(text);
  if (former != nullptr && value.questions != former->questions) {
    throw std::invalid_argument{"/questions is of the outline (--outline): write to /findings"};
  }
  ByHand by_hand{text, file};
  for (Finding& finding : value.findings) {
    if (std::ranges::count(value.questions, finding.question) == 0) {
      throw std::invalid_argument{
          fmt::format("/findings: '{}' is none of /questions", finding.question)};
    }
    if (former == nullptr) {
      by_hand.mark(finding.quotes);
    } else {
      by_hand.mark(finding.quotes, quotes_of(former->findings));
    }
  }
  return value;
}

void check_parts(const Brief& brief, const std::vector<Brief>& former) {
  const auto was = std::ranges::find(former, brief.key, &Brief::key);
  if (was == former.end())
    throw std::invalid_argument{fmt::format("/sections: '{}' is none of the outline", brief.key)};
  if (brief.remarks != was->remarks) {
    throw std::invalid_argument{fmt::format(
        "/sections: 'remarks' of '{}' are the program's own: write a quote, or edit 2-sections",
        brief.key)};
  }
  for (const auto& part : brief.parts) {
    if (std::ranges::count(was->parts, part.question, &Part::question) > 0) continue;
    throw std::invalid_argument{
        fmt::format("/sections: '{}' is no question of '{}'", part.question, brief.key)};
  }
}

std::string title_of(std::string_view text) {
  const auto at = text.starts_with("## ") ? 0 : text.find("\n## ") + 1;
  if (!text.substr(at).starts_with("## "))
    throw std::invalid_argument{"there is no line that begins with '## '"};
  const auto line = text.substr(at + 3);
  return plain(line.substr(0, line.find('\n')));
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

Deck edited_deck(const std::string& text, const Deck& former) {
  return with_findings<Deck>(text, deck_file, &former);
}

Research edited_research(const std::string& text, const Research& former) {
  return with_findings<Research>(text, research_file, &former);
}

std::vector<Brief> edited_briefs(const std::string& text, const std::vector<Brief>& former) {
  auto briefs = parsed<Briefs>(text).sections;
  ByHand by_hand{text, briefs_file};
  for (Brief& brief : briefs) {
    check_parts(brief, former);
    for (Part& part : brief.parts) {
      by_hand.mark(part.quotes, quotes_of(former));
      if (!part.quotes.empty()) part.see.clear();
    }
  }
  return briefs;
}

Section edited_section(const std::string& text, const Section& former) {
  return {former.key, former.title, text};
}

std::string briefs_json(const std::vector<Brief>& briefs) {
  return Json(Briefs{briefs}).dump(2) + "\n";
}

Deck adopted_deck(const resumable::FoundFile& file) {
  return with_findings<Deck>(std::string{file.text}, deck_file, nullptr);
}

Research adopted_research(const resumable::FoundFile& file) {
  return with_findings<Research>(std::string{file.text}, research_file, nullptr);
}

std::vector<Brief> adopted_briefs(const resumable::FoundFile& file) {
  auto briefs = parsed<Briefs>(file.text).sections;
  ByHand by_hand{file.text, briefs_file};
  for (Brief& brief : briefs) {
    for (Part& part : brief.parts) by_hand.mark(part.quotes);
  }
  return briefs;
}

Section adopted_section(const resumable::FoundFile& file) {
  return {std::string{file.item}, title_of(file.text), std::string{file.text}};
}

Text adopted_text(const resumable::FoundFile& file) { return {std::string{file.text}}; }

bool shows_profiles(const resumable::FoundFile& section) {
  return has(section.text, profiles_heading);
}

bool shows_links(const resumable::FoundFile& section) {
  return has(section.text.substr(0, section.text.find(profiles_heading)), "](http");
}

bool shows_tables(const resumable::FoundFile& section) { return has(section.text, table_mark); }

bool shows_citations(const resumable::FoundFile& draft) {
  return has(draft.text, "[^1]") || has(draft.text, citations_heading);
}

bool shows_part(const resumable::FoundFile& validation, const char* part) {
  const auto json = Json::parse(validation.text, nullptr, false);
  return json.is_object() && json.contains(part);
}

}  // namespace memo
