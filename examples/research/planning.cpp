// Phases 0.5 to 2: from pages and a topic to questions, each with the passages that rank best. A
// step is handed its own, so it runs again only if its question or its passages have changed.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/asking.hpp"
#include "model/quoting.hpp"
#include "research/phases.hpp"
#include "research/web_text.hpp"
#include "text/index.hpp"
#include "text/words.hpp"

namespace research {
namespace {

using model::Misfit;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr std::size_t most_roles = 4;
constexpr std::size_t most_words_asked = 8;       // each a question, without a model
constexpr std::size_t most_pages_asked = 4;       // likewise
constexpr std::size_t pages_shown = 12;           // to a model
constexpr std::size_t passages_for_a_model = 12;  // to each question
constexpr std::size_t first_of_a_page = 3;        // passages, before all else
constexpr double title_weight_of_pages = 4;

Words words_to_find(const std::string& text) {
  Words words = text::search_words(text);
  return words.empty() ? text::words_of(text) : words;  // of a topic such as `bus`
}

text::PassageIndex index_of(const std::vector<Page>& pages) {
  std::vector<text::Passage> whole;
  for (const Page& page : pages) {
    whole.push_back({page.title, {}, page.path});
    for (const Quote& quote : page.passages) whole.back().body += quote.text + '\n';
  }
  return text::PassageIndex{whole, title_weight_of_pages};
}

/// Pages whose title has no other words than the topic, case and endings aside.
std::vector<std::size_t> titled(const std::string& topic, const std::vector<Page>& pages) {
  const text::PassageIndex all{{text::Passage{{}, topic}}};
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const Words words = words_to_find(pages[i].title);
    const bool is_topic = std::ranges::all_of(
        words, [&](const std::string& word) { return !all.best({word}, 1, 0).empty(); });
    if (is_topic && !words.empty()) found.push_back(i);
  }
  return found;
}

/// Those whose title is the topic, then those that have most to do with it, then the first ones.
std::vector<std::size_t> ranked_pages(const std::string& topic, const std::vector<Page>& pages) {
  std::vector<std::size_t> ranked = titled(topic, pages);
  const auto add = [&](std::size_t page) {
    if (std::ranges::find(ranked, page) == ranked.end()) ranked.push_back(page);
  };
  for (const text::Hit& hit : index_of(pages).best(words_to_find(topic), pages.size(), 0)) {
    add(hit.passage);
  }
  for (std::size_t i = 0; i < pages.size(); ++i) add(i);
  return ranked;
}

/// Each of these pages is asked about the topic by itself.
Role reader_of(const std::vector<std::size_t>& numbers, std::size_t most, const std::string& topic,
               const std::vector<Page>& pages) {
  Role role{"reader of pages", {}};
  for (const std::size_t i : numbers) {
    if (role.questions.size() == most) break;
    role.questions.push_back({pages[i].title, topic, pages[i].path});
  }
  return role;
}

std::vector<Role> roles_without_a_model(const std::string& topic, const std::vector<Page>& pages) {
  Role words{"reader for its words", {}};
  const Words all = words_to_find(topic);
  for (const std::string& word : all) {
    if (all.size() == 1 || words.questions.size() == most_words_asked) break;
    words.questions.push_back({"“" + word + "”", word});
  }
  return {{"reader for the topic", {{"“" + topic + "”", topic}}},
          reader_of(ranked_pages(topic, pages), most_pages_asked, topic, pages),
          std::move(words)};
}

std::vector<Role> roles_by(const model::Call& call, const std::string& topic,
                           const std::vector<Page>& pages) {
  Json shown = Json::array();
  for (const std::size_t i : ranked_pages(topic, pages)) {
    if (shown.size() == pages_shown) break;
    shown.push_back({{"title", pages[i].title}, {"text", pages[i].passages.front().text}});
  }
  const model::Task task{
      "roles",
      "Name up to `limit` researchers, each with the one question about the topic that they ask "
      "of these pages, and up to twelve words that an answer may hold.",
      Json{{"topic", topic}, {"limit", most_roles}, {"pages", std::move(shown)}}.dump(),
      R"({"roles":[{"name":"Historian","question":"How …?","search":"built year owner"}]})"};
  return model::ask(call, task, [&](const Json& answer) {
    std::vector<Role> roles;
    for (const Json& one : answer.at("roles")) {
      if (roles.size() == most_roles) break;
      const auto question = one.at("question").get<std::string>();
      if (words_to_find(question).empty()) throw Misfit{"a role without a question"};
      roles.push_back({one.at("name").get<std::string>(),
                       {{question, question + ' ' + one.at("search").get<std::string>()}}});
    }
    if (roles.empty()) throw Misfit{"no role"};
    return roles;
  });
}

/// All passages, ranked for a question.
class Ranking {
 public:
  explicit Ranking(const Scrape& scrape)
      : quotes_{quotes_of(scrape)}, index_{passages_of(quotes_)} {}

  [[nodiscard]] const Quote& operator[](std::size_t i) const { return quotes_[i]; }

  /// Best first. Of a page that is asked by itself all, at last those without a word of it.
  [[nodiscard]] std::vector<std::size_t> best(const Question& question, double least) const {
    std::vector<std::size_t> found;
    const bool is_of_page = !question.page.empty();
    for (const text::Hit& hit :
         index_.best(words_to_find(question.search), quotes_.size(), is_of_page ? 0 : least)) {
      if (!is_of_page || quotes_[hit.passage].page == question.page) found.push_back(hit.passage);
    }
    for (std::size_t i = 0; i < quotes_.size() && is_of_page; ++i) {
      if (quotes_[i].page != question.page) continue;
      if (std::ranges::find(found, i) == found.end()) found.push_back(i);
    }
    return found;
  }

  /// Pages in the order in which they rank, each as it is read.
  void put_in_order(std::vector<std::size_t>& chosen) const {
    std::vector<std::string> pages;
    for (const std::size_t i : chosen) pages.push_back(quotes_[i].page);
    std::ranges::sort(chosen, {}, [&](std::size_t i) {
      return std::pair{std::ranges::find(pages, quotes_[i].page) - pages.begin(), i};
    });
  }

 private:
  static std::vector<Quote> quotes_of(const Scrape& scrape) {
    std::vector<Quote> all;
    for (const Page& page : scrape.pages) {
      all.insert(all.end(), page.passages.begin(), page.passages.end());
    }
    return all;
  }
  static std::vector<text::Passage> passages_of(const std::vector<Quote>& quotes) {
    std::vector<text::Passage> all;
    for (const Quote& quote : quotes) all.push_back({quote.heading, quote.text, quote.page});
    return all;
  }

  std::vector<Quote> quotes_;
  text::PassageIndex index_;
};

using Lists = std::vector<std::vector<std::size_t>>;

/// For each goal what ranks best. On a site of a few pages no passage scores much: if none reaches
/// the limit for any goal, there is none.
Lists ranked_for(const std::vector<Goal>& goals, const Ranking& ranking) {
  Lists lists;
  for (const double least : {text::least_score, 0.0}) {
    lists.clear();
    bool any = false;
    for (const Goal& goal : goals) {
      lists.push_back(ranking.best(goal.question, least));
      any = any || (goal.question.page.empty() && !lists.back().empty());
    }
    if (any) break;
  }
  return lists;
}

/// In rounds, each goal takes its next best passage that nobody has. A page that is asked by itself
/// gives a few at once.
Lists shared_out(const std::vector<Goal>& goals, const Lists& ranked, const Ranking& ranking,
                 std::size_t words) {
  Lists taken(goals.size());
  std::set<std::string> said;
  std::vector<std::size_t> next(goals.size());
  const auto take = [&](std::size_t goal) {
    while (next[goal] < ranked[goal].size()) {
      const std::size_t quote = ranked[goal][next[goal]++];
      if (!said.insert(ranking[quote].text).second) continue;
      taken[goal].push_back(quote);
      words -= std::min(words, text::words_of(ranking[quote].text).size());
      return true;
    }
    return false;
  };
  for (bool any = true, first = true; any && words > 0; first = false) {
    any = false;
    for (std::size_t goal = 0; goal < goals.size(); ++goal) {
      const bool is_page = !goals[goal].question.page.empty();
      for (std::size_t n = first && is_page ? first_of_a_page : 1; n > 0 && words > 0; --n) {
        any = take(goal) || any;
      }
    }
  }
  return taken;
}

}  // namespace

Roles make_roles(const model::Call& call, const std::string& topic, const Scrape& scrape) {
  Roles roles{topic.empty() ? scrape.title : topic, {}};
  const bool is_known = topic.empty()
                            ? !scrape.pages.empty()
                            : !index_of(scrape.pages).best(words_to_find(topic), 1, 0).empty();
  if (!is_known) {
    throw OffTopic(resumable::Errc::stage_failed,
                   {.what = fmt::format("of {} with text none has a word of '{}'",
                                        counted(scrape.pages.size(), "page"), roles.topic),
                    .kept = "the pages that were read",
                    .next = "ask in words that the site uses, or name a site that has pages about "
                            "it; then type"});
  }
  if (model::is_quoting(call.provider.name())) {
    roles.roles = roles_without_a_model(roles.topic, scrape.pages);
    return roles;
  }
  roles.roles = roles_by(call, roles.topic, scrape.pages);
  const auto always = titled(roles.topic, scrape.pages);
  if (!always.empty()) {
    roles.roles.push_back(reader_of(always, most_pages_asked, roles.topic, scrape.pages));
  }
  return roles;
}

std::vector<Goal> find_goals(const Roles& roles) {
  std::vector<Goal> goals;
  for (const Role& role : roles.roles) {
    for (const Question& question : role.questions) {
      const bool is_new =
          std::ranges::none_of(goals, [&](const Goal& goal) { return goal.question == question; });
      if (!is_new) continue;
      goals.push_back({fmt::format("goal-{}", goals.size() + 1), role.name, question});
    }
  }
  return goals;
}

std::vector<Step> make_plan(const std::string& provider, const Limits& limits,
                            const std::vector<Goal>& goals, const Scrape& scrape) {
  const Ranking ranking{scrape};
  const Lists ranked = ranked_for(goals, ranking);
  const bool quoting = model::is_quoting(provider);
  const Lists chosen = quoting ? shared_out(goals, ranked, ranking, limits.words) : ranked;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    std::vector<std::size_t> list = chosen[i];
    if (list.empty()) {
      list = ranking.best(goals[i].question, 0);
      // All of it is quoted elsewhere, or its words stand nearly everywhere.
      if (quoting && !list.empty()) continue;
    }
    list.resize(quoting ? list.size() : std::min(list.size(), passages_for_a_model));
    if (quoting) ranking.put_in_order(list);
    Step& step = steps.emplace_back(
        Step{fmt::format("step-{}", steps.size() + 1), goals[i].id, goals[i].question.text, {}});
    for (const std::size_t quote : list) step.passages.push_back(ranking[quote]);
  }
  return steps;
}

}  // namespace research
