// The whole corpus: its inputs, the queue whose items add items, and the files that the pages
// become. What survives a kill: each page that was committed, and each plan of a domain, in the
// cache.
#include "corpus/pipeline.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <resumable/cache.hpp>
#include <resumable/codec.hpp>
#include <resumable/queue.hpp>
#include <resumable/step.hpp>

#include "corpus/offline.hpp"
#include "corpus/outline.hpp"
#include "corpus/tasks.hpp"
#include "model/model.hpp"

namespace corpus {
namespace {

namespace rs = resumable;

/// Does one item of the queue.
class Desk {
 public:
  Desk(rs::Context& ctx, const Settings& settings, const std::string& provider)
      : ctx_(ctx), settings_(settings), provider_(provider) {}

  Page work(const Piece& piece) {
    switch (piece.kind) {
      case Kind::concept_of_city: return invent(piece);
      case Kind::expansion: return expand(piece);
      case Kind::section: break;
    }
    return write(piece);
  }

 private:
  template <class F>
  auto ask(F question) {
    model::Model named{
        provider_, settings_.offline(), {.pace = settings_.pace, .terms = settings_.terms}};
    return model::retryable([&] { return question(model::call_in(ctx_, named.get())); });
  }

  /// The city, and what it enqueues: the expansion of each domain. A longer corpus, or a changed
  /// outline, is the same city.
  Page invent(const Piece& piece) {
    const model::Task task = concept_task(piece.city.name, std::min<std::size_t>(piece.words, 500));
    const auto found = ctx_.step("concept", rs::with(task.input, provider_), [&] {
      return ask([&](const model::Call& call) { return ask_concept(call, task); });
    });
    for (const Domain& domain : piece.domains) {
      ctx_.enqueue(expansion_piece(domain, found.city, piece.words));
    }
    return told(piece, found.city.name, found.text);
  }

  Page expand(const Piece& piece) {
    const Domain& domain = piece.domains.at(0);
    const std::vector<std::string> prompts = prompts_of(piece.city, domain);
    Page page{piece.kind, domain.label, "", 0, {}};
    for (std::size_t i = 0; i < domain.headings.size(); ++i) {
      page.plan.push_back({section_name(domain.label, domain.headings[i].title), prompts.at(i)});
    }
    for (std::size_t i = 0; i < domain.wanted; ++i) {
      Piece section;
      section.kind = Kind::section;
      section.name = page.plan.at(i).name;
      section.key = file_name(section.name);
      section.city = piece.city;
      section.prompt = page.plan.at(i).prompt;
      section.terms = domain.headings.at(i).terms;
      section.words = piece.words;
      ctx_.enqueue(section);
    }
    return page;
  }

  /// Known by what is asked, and of whom: any corpus of the store that asks the same has the
  /// answer.
  std::vector<std::string> prompts_of(const City& city, const Domain& domain) {
    const model::Task task = expand_task(city, domain);
    return ctx_.cached(expand_step, rs::with(provider_, task.instructions, task.input), [&] {
      return ask([&](const model::Call& call) { return ask_expansion(call, task, domain); });
    });
  }

  Page write(const Piece& piece) {
    const model::Task task = write_task(piece);
    return told(piece, piece.name,
                ask([&](const model::Call& call) { return ask_section(call, task); }));
  }

  Page told(const Piece& piece, const std::string& title, std::string text) {
    const std::size_t words = count_words(text);
    Page page{piece.kind, title, std::move(text), words, {}};
    settings_.written(piece.key, page);
    return page;
  }

  rs::Context& ctx_;
  const Settings& settings_;
  const std::string& provider_;
};

/// What a piece adds to the one text of the corpus.
std::optional<std::string> part_of_corpus(const Page& page) {
  auto text = markdown(page);
  if (text) *text += "\n";
  return text;
}

Totals total(const std::vector<Page>& pages, std::size_t target_words,
             const std::string& start_time) {
  Totals totals{"", target_words, 0, start_time, 0};
  for (const Page& page : pages) {
    if (page.kind == Kind::concept_of_city) totals.city_name = page.title;
    if (page.kind != Kind::expansion) ++totals.completed;
    totals.word_count += page.words;
  }
  return totals;
}

}  // namespace

CorpusPipeline::CorpusPipeline(Settings settings) : settings_(std::move(settings)) {
  if (!settings_.offline) settings_.offline = [] { return std::make_unique<OfflineWriter>(); };
  declare();
}

void CorpusPipeline::declare() {
  rs::Pipeline& corpus = pipeline_;
  const auto input = [&]<class T>(rs::Name name, const T& value) {
    return settings_.as_recorded ? corpus.input<T>(name) : corpus.input(name, value);
  };
  const auto city = input("city", settings_.city);
  const auto target_words = input("target_words", settings_.target_words);
  const auto section_words = input("section_words", settings_.section_words);
  const auto provider = input("provider", settings_.provider);
  const auto start_time = input("start_time", settings_.start_time);
  const auto outline =
      settings_.outline ? corpus.files("outline", *settings_.outline) : corpus.files("outline");

  const auto first =
      corpus.stage("scope", inputs(outline, city, target_words, section_words),
                   [](const std::vector<rs::SourceFile>& files, const std::string& name,
                      std::size_t target, std::size_t words) {
                     const rs::SourceFile& file = files.at(0);
                     return std::vector{first_piece(read_outline(file.read(), file.path.string()),
                                                    name, target, words)};
                   });

  pieces_ = corpus.queue(
      {.name = "pieces",
       .retry = {.attempts = 3,
                 .initial_delay = settings_.retry_first,
                 .max_delay = std::chrono::seconds{60}},
       .timeout = std::chrono::minutes{5}},
      inputs(each(first, &Piece::key), provider),
      [&settings = settings_](rs::Context& ctx, const Piece& piece, const std::string& name) {
        return Desk{ctx, settings, name}.work(piece);
      });

  corpus.artifact(*pieces_, "sections/{item}.md", markdown, with_markdown);
  corpus.artifact(*pieces_, "expansion_cache/{item}.json", readable_plan);
  corpus.append(*pieces_, "city_corpus.txt", part_of_corpus);

  totals_ = corpus.stage("finalize", inputs(*pieces_, target_words, start_time), total);
}

}  // namespace corpus
