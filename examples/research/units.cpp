#include "research/units.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "research/agreement.hpp"
#include "research/dates.hpp"
#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

constexpr std::size_t longest = 480;       ///< bytes of a sentence
constexpr std::size_t longest_pair = 560;  ///< of one with those that lean on it
constexpr std::size_t fewest_words = 4;    ///< of a sentence
constexpr std::size_t most_item_words = 40;
constexpr std::size_t most_lead_in_words = 15;

using Words = std::vector<std::string>;

bool is_in(const std::set<std::string_view>& set, const std::string& word) {
  return set.contains(word);
}

const std::set<std::string_view> pronouns{"it",    "its",   "they", "their",  "them", "he",
                                          "she",   "his",   "her",  "this",   "that", "both",
                                          "these", "those", "such", "neither"};

/// A heading may say what `it` is, but not what `that` is.
bool points_back(const Words& words) {
  static const std::set<std::string_view> pointing{"this", "that", "these",  "those",
                                                   "such", "both", "neither"};
  return !words.empty() && is_in(pointing, words.front());
}

/// Whether it begins with a word that only joins it to what was said before: alone it says the
/// same.
bool is_joined_on(const Words& words) {
  static const std::set<std::string_view> joining{
      "but",   "and",       "so",        "or",      "also",    "however",  "then",
      "thus",  "therefore", "otherwise", "besides", "further", "moreover", "likewise",
      "again", "instead",   "here",      "yet",     "still"};
  return !words.empty() && is_in(joining, words.front()) &&
         std::none_of(words.begin(), words.begin() + std::min<std::ptrdiff_t>(4, std::ssize(words)),
                      [](const std::string& word) { return is_in(pronouns, word); });
}

bool speaks_as_i(const Words& words) { return std::ranges::find(words, "i") != words.end(); }

/// `A full one can be forced`, `the last ones leave at noon`: one of what?
bool leaves_out_the_noun(const Words& words) {
  static const std::set<std::string_view> articles{"a", "an", "the", "each", "every", "no"};
  if (words.empty() || !is_in(articles, words.front())) return false;
  const auto end = words.begin() + std::min<std::ptrdiff_t>(4, std::ssize(words));
  return std::any_of(words.begin() + 1, end,
                     [](const auto& word) { return word == "one" || word == "ones"; });
}

/// `Two were found later`, `the rest came out of a box`, `over the spring he tested all of them`.
bool speaks_of_some(const Words& words) {
  static const std::set<std::string_view> some{"others", "latter", "former", "rest", "remainder"};
  static const std::set<std::string_view> some_of{"other", "second", "third"};
  static const std::set<std::string_view> persons{"he", "she", "him", "them"};
  if (words.size() < 2) return false;
  const bool counted = has_figure({words[0]}) && words[1] != "of" && is_stop_word(words[1]);
  const bool alone = words.size() < 3 || is_stop_word(words[2]);
  const bool left =
      words[0] == "the" && (is_in(some, words[1]) || (is_in(some_of, words[1]) && alone));
  const auto end = words.begin() + std::min<std::ptrdiff_t>(5, std::ssize(words));
  return counted || left ||
         std::any_of(words.begin(), end, [](const auto& word) { return is_in(persons, word); });
}

/// `On a new disk it is 11 per cent`: what is?
bool leans_behind_a_place(const Words& words) {
  static const std::set<std::string_view> places{"on", "in",    "at",     "with",
                                                 "by", "under", "without"};
  if (words.empty() || !is_in(places, words.front())) return false;
  const auto end = words.begin() + std::min<std::ptrdiff_t>(8, std::ssize(words));
  return std::any_of(words.begin(), end,
                     [](const auto& word) { return word == "it" || word == "they"; });
}

/// `The new way inverts this`, `in other words, …`
bool sums_up(const Words& words) {
  static const std::set<std::string_view> pointing{"this", "that", "these", "those"};
  const bool other_words =
      words.size() > 2 && words[0] == "in" && words[1] == "other" && words[2] == "words";
  return other_words || is_in(pointing, words.back());
}

/// Whether a sentence is about something that the one before it names.
bool leans(const Words& words) {
  static const std::set<std::string_view> leaning{
      "it",      "its",        "they",    "their",     "them",      "he",        "she",
      "his",     "her",        "but",     "and",       "so",        "or",        "also",
      "however", "then",       "both",    "again",     "instead",   "similarly", "besides",
      "further", "moreover",   "thus",    "therefore", "otherwise", "likewise",  "here",
      "else",    "afterwards", "neither", "yet",       "still"};
  static const std::set<std::string_view> pointing{"this", "that", "these", "those", "such"};
  if (words.empty() || is_in(leaning, words.front())) return true;
  if (leaves_out_the_noun(words) || speaks_of_some(words) || leans_behind_a_place(words) ||
      sums_up(words)) {
    return true;
  }
  if (words.size() > 1 && words[0] == "for" && (words[1] == "example" || words[1] == "instance")) {
    return true;
  }
  const auto end =
      words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, words.size()));
  static const std::set<std::string_view> objects{"it", "them", "they"};
  return std::any_of(words.begin(), end, [](const auto& word) {
    return is_in(pointing, word) || is_in(objects, word);
  });
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// A piece of a quotation or of a bracket is no sentence.
bool is_balanced(const std::string& text) {
  return count(text, "(") == count(text, ")") && count(text, "\"") % 2 == 0 &&
         count(text, "\u201C") == count(text, "\u201D");
}

/// `See also …`, `Click here …`, `… is on the page about …`, `Below is …`: a link, and no
/// statement.
bool points_away(const Words& words) {
  static const std::set<std::string_view> verbs{"read", "click", "visit", "view", "follow"};
  static const std::set<std::string_view> where{"also", "more", "here", "our", "the", "about"};
  if (words.size() < 2) return false;
  const bool link = is_in(verbs, words[0]) && (is_in(where, words[1]) || words.size() < 6);
  const auto refers = std::find_if(words.begin(), words.end() - 1, [](const auto& word) {
    return word == "see" || word == "refer";
  });
  const bool see = refers == words.begin() || (words[0] == "for" && refers < words.end() - 1);
  const bool here = words.back() == "here" && is_in(verbs, words[words.size() - 2]);
  const auto page = std::ranges::find(words, "page");
  const bool names = words.end() - page > 2 && (page[1] == "about" || page[1] == "on");
  const bool more = words[0] == "more" && (words[1] == "about" || words[1] == "on");
  const bool below = words[0] == "below" && (words[1] == "is" || words[1] == "are");
  const bool back =
      (words[0] == "back" && words[1] == "to") || (words[0] == "continue" && words[1] == "with");
  return link || see || here || names || more || below || (back && words.size() < 8);
}

/// `--force`, `ignore-case`: a name, and nothing that is said of it.
bool is_name(const std::string& text) {
  std::istringstream stream{text};
  std::size_t plain = 0;
  for (std::string one; stream >> one;) plain += one.starts_with('-') ? 0U : 1U;
  return plain < 2 && !has_figure(words(text));
}

/// A heading above links.
bool is_about_links(const std::string& heading) {
  static const std::set<std::string_view> headings{
      "see also",   "related", "further reading", "read more",  "links",       "external links",
      "references", "more",    "where to go",     "where next", "on this site"};
  std::string all;
  for (const std::string& word : words(heading)) all += (all.empty() ? "" : " ") + word;
  return headings.contains(all);
}

/// `Moor A., Lind B. (2023): …`, `Moor A. et al. (2023) …`: a text that is listed, and no
/// statement.
bool is_reference(const std::string& text) {
  static const std::regex pattern{
      R"(^[^.:;()]{2,30}( [A-Z]\.|,? et al\.)[^:;()]{0,120} \((1[6-9]|20)[0-9]{2}[a-z]?\)[:.,]? )"};
  return std::regex_search(text, pattern);
}

/// The line at the foot of a page that says whose it is.
bool is_copyright(const std::string& text) {
  return text.find("\u00A9") != text.npos && words(text).size() <= 20;
}

/// Whether it is worth to be quoted at all.
bool tells(const std::string& sentence, const Words& words) {
  if (words.size() < fewest_words || sentence.size() > longest) return false;
  const bool asks = sentence.find('?') != sentence.npos;
  const bool thanks = words[0] == "thanks" || words[0] == "thank";
  return !asks && !thanks && !points_away(words) && is_balanced(sentence) &&
         sentence.find('@') == sentence.npos;
}

/// Items and rows that stand on more than a third of the pages, at least three, and paragraphs
/// likewise: the frame of a site, not what a page says.
std::set<std::string> frame_of(const Scrape& scrape) {
  std::map<std::string, std::size_t> pages_with;
  for (const Page& page : scrape.pages) {
    std::set<std::string> own;
    for (const Passage& passage : page.passages) own.insert(passage.text);
    for (const std::string& text : own) ++pages_with[text];
  }
  std::set<std::string> frame;
  for (const auto& [text, count] : pages_with) {
    if (count >= 3 && count * 3 > scrape.pages.size()) frame.insert(text);
  }
  return frame;
}

/// What a list of links names: the pages, what stands below their headings, and the site.
std::set<std::string> titles_of(const Scrape& scrape) {
  std::set<std::string> titles;
  for (const Page& page : scrape.pages) {
    titles.insert(page.title);
    for (const std::string_view sign : {" \u2013 ", " - ", " | "}) {
      titles.insert(page.title.substr(0, page.title.find(sign)));
    }
    for (const Passage& passage : page.passages) titles.insert(passage.heading);
  }
  return titles;
}

class Cutter {
 public:
  explicit Cutter(const Scrape& scrape)
      : scrape_(scrape), frame_(frame_of(scrape)), titles_(titles_of(scrape)) {}

  std::vector<Unit> cut() {
    for (page_ = 0; page_ < scrape_.pages.size(); ++page_) {
      ++section_;
      heading_.clear();
      for (const Passage& passage : scrape_.pages[page_].passages) {
        if (passage.heading != std::exchange(heading_, passage.heading)) {
          ++section_;
          lead_in_.clear();
        }
        const bool frame = frame_.contains(passage.text) || is_about_links(heading_);
        if (!frame) take(passage);
      }
    }
    return std::move(units_);
  }

 private:
  void take(const Passage& passage) {
    ++passage_;
    date_ = date_within(passage, scrape_.pages[page_].date);
    if (passage.is_link || is_reference(passage.text) || is_copyright(passage.text)) return;
    const std::string lead_in = std::exchange(lead_in_, {});
    if (passage.is_row) return add(passage.text, passage.columns, true, false);
    const auto all = sentences(passage.text);
    columns_ = passage.columns;
    if (is_definition(passage.text, passage.columns)) return take_definition(passage.text, all);
    const std::string dated = passage.text.substr(0, passage.text.find(" \u00B7 "));
    const bool listed = !lead_in.empty() && !lower(dated).starts_with("last ");
    if (!listed && is_dateline(dated)) return;
    if (passage.text.ends_with(':')) lead_in_ = passage.text;
    if (all.empty()) return take_item(columns_.empty() ? lead_in : columns_, passage.text);
    if (!columns_.empty() && is_whole(passage.text, all)) {
      return add(passage.text, columns_, false, true);
    }
    Run run;
    for (const std::string& sentence : all) {
      const Words of_it = words(sentence);
      const bool goes_on = sentence[0] >= 'a' && sentence[0] <= 'z' && is_joined_on(of_it);
      if (is_dateline(sentence) || (goes_on && columns_.empty())) continue;
      const bool told = tells(sentence, of_it);
      const bool leaning = leans(of_it);
      const bool figure = has_figure(of_it);
      const bool known =
          !leaning || !run.text.empty() || !points_back(of_it) || !said_of(sentence).denied.empty();
      const bool is_worth = told && (!leaning || figure) && known;
      const std::string joined = run.text + " " + sentence;
      const bool fits = joined.size() <= longest_pair && passage.text.find(joined) != joined.npos;
      const bool alone = is_joined_on(of_it) && !said_of(sentence).figures.empty();
      const bool needed = run.is_worth || (is_worth && !alone);
      if (told && leaning && needed && !run.text.empty() && fits) {
        run.text = joined;
      } else {
        end(run);
        run.text = is_balanced(sentence) && !points_away(of_it) ? sentence : "";
      }
      run.is_worth = run.is_worth || is_worth;
      run.has_figure = run.has_figure || figure;
      run.is_own = run.is_own || speaks_as_i(of_it);
    }
    end(run);
  }

  /// An item of a list in whole sentences is one thought.
  static bool is_whole(const std::string& text, const std::vector<std::string>& all) {
    std::string joined;
    for (const std::string& one : all) joined += (joined.empty() ? "" : " ") + one;
    return joined == text && text.size() <= longest_pair && tells(all[0], words(all[0]));
  }

  /// A sentence with those that lean on it. One that leans on what is not worth to be quoted by
  /// itself, such as a question, brings that with it if it has a figure.
  struct Run {
    std::string text;
    bool is_worth = false;
    bool has_figure = false;
    bool is_own = false;  ///< the writer says `I`
  };

  /// What a writer says of himself tells something only with a figure.
  void end(Run& run) {
    if (run.is_worth && (run.has_figure || !run.is_own)) add(run.text, columns_, false, true);
    run = {};
  }

  /// What is said of a term first, as it says what it is; not where to read more.
  void take_definition(const std::string& text, const std::vector<std::string>& all) {
    std::string first;
    for (const std::string& sentence : all) {
      const std::string joined = first + (first.empty() ? "" : " ") + sentence;
      const bool fits = first.empty() || words(joined).size() <= most_item_words;
      if (!fits || points_away(words(sentence)) || !text.starts_with(joined)) break;
      first = joined;
    }
    if (words(text).size() <= most_item_words && all.empty()) first = text;
    if (!first.empty() && !first.ends_with(':')) add(std::move(first), columns_, true, false);
  }

  /// An item of a list, or a line of text, that is no whole sentence; of a list of links none.
  /// The words that lead to a list belong to each of its items.
  void take_item(const std::string& lead_in, const std::string& text) {
    const std::size_t count = words(text).size();
    const bool leads_in = text.ends_with(':') || text.find('?') != text.npos;
    if (count < 2 || count > most_item_words || leads_in || is_link(text) || is_name(text)) return;
    if (repeats_heading(text)) return;
    const bool short_enough = words(lead_in).size() <= most_lead_in_words;
    lead_in_ = lead_in;
    add(text, short_enough ? lead_in : "", false, false);
  }

  /// `How much` below `How much you can get`.
  [[nodiscard]] bool repeats_heading(const std::string& text) const {
    return lower(heading_ + " ").starts_with(lower(text) + " ");
  }

  /// The title of a page, or a heading, with no more than a date around it.
  [[nodiscard]] bool is_link(const std::string& text) const {
    return std::ranges::any_of(titles_, [&](const std::string& title) {
      const auto at = title.empty() ? text.npos : text.find(title);
      return at != text.npos && is_only_date(text.substr(0, at)) &&
             is_only_date(text.substr(at + title.size()));
    });
  }

  void add(std::string text, std::string columns, bool is_row, bool is_sentence) {
    const std::size_t count = words(with_term(text, columns)).size();
    units_.push_back({page_, section_, passage_, heading_, std::move(text), std::move(columns),
                      date_, is_row, is_sentence, count});
  }

  const Scrape& scrape_;
  const std::set<std::string> frame_;
  const std::set<std::string> titles_;
  std::vector<Unit> units_;
  std::size_t page_ = 0;
  std::size_t section_ = 0;
  std::size_t passage_ = 0;
  std::string date_;
  std::string lead_in_;  ///< the passage before, if it ends with a colon
  std::string columns_;  ///< of the passage
  std::string heading_;
};

}  // namespace

std::vector<Unit> units_of(const Scrape& scrape) { return Cutter{scrape}.cut(); }

bool is_row(const std::string& text, const std::string& columns) {
  return columns.find(" | ") != columns.npos && text.find(" | ") != text.npos;
}

bool is_definition(const std::string& text, const std::string& columns) {
  return !columns.empty() && !columns.ends_with(':') && !is_row(text, columns);
}

std::string with_term(const std::string& text, const std::string& columns) {
  return is_definition(text, columns) ? columns + " | " + text : text;
}

bool leans_on_another(const std::string& text) { return leans(words(text)); }

bool refers_elsewhere(const std::string& text) {
  static const std::set<std::string_view> places{"see",      "refer", "section", "chapter",
                                                 "appendix", "above", "below",   "page"};
  static const std::set<std::string_view> conditions{"if",  "when", "while",   "note",
                                                     "tip", "some", "another", "other"};
  const auto all = words(text);
  if (std::ranges::find(all, "also") != all.end()) return true;
  return text.starts_with('(') || (!all.empty() && is_in(conditions, all[0])) ||
         std::ranges::any_of(all, [](const auto& word) { return is_in(places, word); });
}

Seek kind_of(const Unit& unit) {
  static constexpr std::array<std::string_view, 12> signs{
      " should ",   " must ",         " need to ", " recommend ", " make sure ", " do not ",
      " consider ", " important to ", " try to ",  " avoid ",     " ensure ",    " please "};
  static const std::set<std::string_view> orders{
      "add",    "allow", "always", "ask",     "avoid", "book",   "bring",   "build",
      "call",   "check", "choose", "clean",   "close", "cover",  "cut",     "don",
      "ensure", "fill",  "fit",    "follow",  "give",  "hold",   "keep",    "leave",
      "let",    "line",  "make",   "measure", "mix",   "move",   "never",   "open",
      "pay",    "place", "press",  "put",     "read",  "remove", "replace", "send",
      "set",    "show",  "start",  "stop",    "store", "switch", "take",    "tell",
      "turn",   "use",   "wait",   "wash",    "wear",  "wipe",   "write"};
  if (!unit.is_sentence) return Seek::reports;
  const auto all = words(unit.text);
  std::string text = " ";
  for (const std::string& word : all) text += word + " ";
  const bool advises = is_in(orders, all.front()) || std::ranges::any_of(signs, [&](auto sign) {
                         return text.find(sign) != std::string::npos;
                       });
  return advises ? Seek::advice : Seek::reports;
}

std::size_t words_of(const Page& page) {
  std::size_t count = 0;
  for (const Passage& passage : page.passages) count += words(passage.text).size();
  return count;
}

std::size_t count_words(const Passage& passage) {
  return count_words(with_term(passage.text, passage.columns));
}

bool is_start(const Scrape& scrape, const Page& page) {
  const auto below = std::ranges::count_if(scrape.pages, [&](const Page& other) {
    return page.path.ends_with('/') && other.path.starts_with(page.path);
  });
  return 2 * below > std::ssize(scrape.pages);
}

}  // namespace research
