// memo_count [--why] FOLDER...: how many of the questions that answerable.json lists the memo of a
// folder answers, and how many of its statements are listed as answers; with --why also which
// questions it misses, and how far they came.
// memo_count --passages FOLDER...: the passages as lines of JSON, for tools/learn_words.py.
#include <cctype>
#include <iostream>
#include <map>

#include "../memo/answers.hpp"
#include "memo/corrections.hpp"
#include "memo/gathering.hpp"
#include "memo/outline.hpp"
#include "memo/vocabulary.hpp"

namespace {

using namespace memo;
using namespace memo::testing;

/// `memo-hill-farm` gives `Hill Farm`.
std::string company_of(const std::filesystem::path& folder) {
  std::string name = folder.filename().string().substr(std::string{"memo-"}.size());
  bool head = true;
  for (char& c : name) {
    if (head) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    head = c == '-';
    if (head) c = ' ';
  }
  return name;
}

std::string where_stated(const MemoRun& run, const Answer& answer) {
  for (const auto& brief : run.plan.sections) {
    for (const auto& part : brief.parts) {
      for (const auto& finding : part.findings) {
        if (holds_one(finding.quote, answer.phrases)) return "stated under " + finding.topic;
      }
    }
  }
  return answer.anywhere ? "in a table" : "not stated";
}

/// How many answers stand in the passage ranked first, and among the first three.
std::pair<int, int> ranked_high(const MemoRun& run, const Sources& sources, const Answers& found) {
  const Corpus corpus{sources};
  const Ranking ranking{corpus, run.found.asked};
  std::pair<int, int> high{0, 0};
  for (const auto& answer : found.all) {
    const auto topic = std::ranges::find(run.found.asked, answer.topic, &Topic::id);
    if (topic == run.found.asked.end()) continue;
    const auto best = ranking.best(*topic, 3);
    const auto at = std::ranges::find_if(
        best, [&](const Candidate& one) { return holds_one(one.text, answer.phrases); });
    high.first += at == best.begin() && at != best.end() ? 1 : 0;
    high.second += at != best.end() ? 1 : 0;
  }
  return high;
}

/// The best rank of a passage that holds the answer, and what was ranked first.
std::string rank_of(const MemoRun& run, const Sources& sources, const Answer& answer) {
  const Corpus corpus{sources};
  const auto topic = std::ranges::find(run.found.asked, answer.topic, &Topic::id);
  if (topic == run.found.asked.end()) return "; not asked";
  const bool known = std::ranges::any_of(corpus.passages(), [&](const Passage& passage) {
    return holds_one(passage.text, answer.phrases);
  });
  if (!known) return "; no passage";
  const auto ranked = Ranking{corpus, run.found.asked}.best(*topic, 1000);
  const auto at = std::ranges::find_if(
      ranked, [&](const Candidate& one) { return holds_one(one.text, answer.phrases); });
  if (at == ranked.end()) return "; no word in common";
  return "; rank " + std::to_string(at - ranked.begin() + 1) + " score " +
         std::to_string(at->score) + " (" + at->text.substr(0, 50) +
         "), first: " + ranked.front().text.substr(0, 60) + " (" +
         std::to_string(ranked.front().score) + ")";
}

void explain(const MemoRun& run, const Sources& sources, const Answers& found) {
  for (const auto& answer : found.all) {
    if (answer.strict) continue;
    std::cout << "  "
              << (answer.nearest ? "nearest: "
                  : answer.open  ? "open: "
                                 : "")
              << answer.topic << " “" << answer.phrases[0]
              << "”: " << (answer.own ? "by reference, " : "") << where_stated(run, answer);
    std::cout << rank_of(run, sources, answer) << '\n';
  }
  for (const auto& text : found.superseded) std::cout << "  superseded: " << text << '\n';
}

/// How many of the figures that superseded.json lists are known to be corrected, of how many that
/// stand in a passage; names the others.
std::pair<int, int> recognised(const std::filesystem::path& folder, const Sources& sources,
                               const Request& request, bool why) {
  const Corpus corpus{sources, request.company};
  const auto known = corrections(corpus, measures(request), all_topics(request));
  std::pair<int, int> counts{0, 0};
  for (const auto& [phrase, current] : superseded_in(folder)) {
    bool stated = false;
    bool corrected = true;
    for (const auto& passage : corpus.passages()) {
      if (!holds(passage.text, phrase)) continue;
      stated = true;
      corrected = corrected && (is_corrected(known, passage.source, passage.text) ||
                                !later_than(known, passage.source, passage.text).empty());
    }
    counts.first += stated && corrected ? 1 : 0;
    counts.second += stated ? 1 : 0;
    if (why && stated && !corrected) std::cout << "  taken for current: " << phrase << '\n';
  }
  return counts;
}

/// What is taken for a correction, to be read by a person.
void print_corrections(const Sources& sources, const Request& request) {
  for (const auto& one :
       corrections(Corpus{sources, request.company}, measures(request), all_topics(request))) {
    std::cout << (one.sure ? "  sure: " : "  perhaps: ") << one.measure << ' ' << one.earlier
              << " -> " << one.later << "\n    " << one.earlier_source << ": " << one.earlier_text
              << "\n    " << one.later_source << ": " << one.later_text << '\n';
  }
}

/// Statements of a memo, by what answerable.json says they answer.
struct Listed {
  std::size_t all = 0;
  std::size_t in_place = 0;   ///< the question that they stand under
  std::size_t elsewhere = 0;  ///< only other ones
};

Listed listed_in(const MemoRun& run, const Answers& found) {
  Listed listed;
  for (const auto& brief : run.plan.sections) {
    for (const auto& part : brief.parts) {
      for (const auto& finding : part.findings) {
        const auto answers = [&](bool own) {
          return std::ranges::any_of(found.all, [&](const Answer& answer) {
            return (answer.topic == finding.topic) == own &&
                   holds_one(finding.quote, answer.phrases);
          });
        };
        ++listed.all;
        if (answers(true)) {
          ++listed.in_place;
        } else if (answers(false)) {
          ++listed.elsewhere;
        }
      }
    }
  }
  return listed;
}

void count(const std::filesystem::path& folder, bool why) {
  if (!std::filesystem::exists(folder / "answerable.json")) {
    std::cout << folder.string() << ": not counted, it has no answerable.json\n";
    return;
  }
  ExtractiveProvider provider;
  const Sources sources = load_sources(folder);
  const Request request{company_of(folder), type_in(folder)};
  const MemoRun run = run_memo({provider, {}, {}}, request, sources);
  const Answers found = answers_of(run, folder);
  const auto high = ranked_high(run, sources, found);
  const auto listed = listed_in(run, found);
  const auto corrected = recognised(folder, sources, request, why);
  std::size_t open = 0;
  std::size_t near = 0;
  for (const auto& brief : run.plan.sections) {
    open += brief.silent.size();
    near += brief.nearest.size();
  }
  std::cout << folder.filename().string() << ": of " << found.all.size() << " own "
            << found.strict() << ", or by reference " << found.own() << ", anywhere "
            << found.anywhere() << ", superseded " << found.superseded.size() << " (known "
            << corrected.first << " of " << corrected.second << "), marked as earlier "
            << found.told_apart << ", current " << found.current << ", words " << found.words
            << " (" << found.all_words << " with tables) of " << found.source_words << " ("
            << 100 * found.words / found.source_words << "%)"
            << ", open " << open << " (" << near << " with a nearest passage), of which "
            << std::ranges::count(found.all, true, &Answer::open) << " could be answered, "
            << std::ranges::count(found.all, true, &Answer::nearest) << " by the nearest passage"
            << ", ranked first " << high.first << ", of three " << high.second << ", statements "
            << listed.all << ", listed " << listed.in_place << " in place, " << listed.elsewhere
            << " elsewhere, score " << *run.validation.overall_score << '\n';
  if (!why) return;
  explain(run, sources, found);
  print_corrections(sources, request);
}

/// A word for each key of a table of words (vocabulary.hpp).
nlohmann::json words_of(const Passage& passage, const Corpus& corpus) {
  nlohmann::json words = nlohmann::json::object();
  std::map<std::string, std::string> written;
  for (const auto& word : lower_words(passage.text)) written.emplace(stem_of(word), word);
  for (const auto& word : lower_words(passage.heading)) {
    written.emplace('#' + stem_of(word), '#' + word);
  }
  for (const auto& key :
       keys_in(corpus.words(passage), corpus.heading_words(passage), kinds_in(passage.text))) {
    const auto found = written.find(key);
    words[key] = found == written.end() ? key : found->second;
  }
  return words;
}

/// For each passage its words and the questions that it answers.
void print_passages(const std::filesystem::path& folder) {
  const Corpus corpus{load_sources(folder)};
  const auto answerable = nlohmann::json::parse(text_of(folder / "answerable.json"));
  for (const auto& passage : corpus.passages()) {
    nlohmann::json answers = nlohmann::json::array();
    for (const auto& entry : answerable.items()) {
      if (holds_one(passage.text, phrases_in(entry.value()))) answers.push_back(entry.key());
    }
    std::cout << nlohmann::json{{"company", folder.filename().string()},
                                {"words", words_of(passage, corpus)},
                                {"answers", std::move(answers)}}
                     .dump()
              << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool why = false;
  bool passages = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string{argv[i]} == "--why") {
      why = true;
    } else if (std::string{argv[i]} == "--passages") {
      passages = true;
    } else if (passages) {
      print_passages(argv[i]);
    } else {
      count(argv[i], why);
    }
  }
}
