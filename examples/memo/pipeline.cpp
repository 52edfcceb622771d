#include "memo/pipeline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>

#include "memo/extractive.hpp"
#include "memo/outline.hpp"
#include "memo/source.hpp"
#include "memo/stages.hpp"
#include "model/model.hpp"

namespace memo {
namespace {

namespace rs = resumable;
using Files = std::vector<rs::SourceFile>;

/// The sources' texts; each file is proved to be what the run began with.
Sources read(const Files& files) {
  Sources sources;
  for (const rs::SourceFile& file : files) {
    if (is_source(file.name)) sources.push_back(make_source(file.name, file.read()));
  }
  if (sources.empty()) throw SourceError("no .md, .txt, .yml or .yaml file is among the sources");
  return sources;
}

/// Calls a stage's function with the provider of this name.
template <class F>
auto ask(rs::Context& ctx, const std::string& provider, std::chrono::milliseconds pace, F stage) {
  model::Model named{provider, std::make_unique<ExtractiveProvider>(), pace};
  return model::ask(ctx, named.get(), stage);
}

rs::StageOptions paid(rs::Name name) {
  return {.name = name,
          .retry = {.attempts = 4,
                    .first = std::chrono::milliseconds{500},
                    .cap = std::chrono::seconds{30}},
          .timeout = std::chrono::minutes{5}};
}

std::string sections_json(const std::vector<SectionBrief>& sections) {
  return nlohmann::json(SectionResearch{sections}).dump(2) + "\n";
}

std::string final_text(const MemoState& state) { return state.final_memo; }

}  // namespace

MemoPipeline::MemoPipeline(Settings settings) : settings_(std::move(settings)) { declare(); }

void MemoPipeline::declare() {
  rs::Pipeline& memo = pipeline_;
  const auto given = [&memo](rs::Name name, const auto& value) {
    using T = typename std::remove_cvref_t<decltype(value)>::value_type;
    return value ? memo.input(name, *value) : memo.input<T>(name);
  };
  const auto request = given("request", settings_.request);
  const auto deck_files = given("deck", settings_.deck);
  const auto provider = given("provider", settings_.provider);
  const auto min_score = given("min_score", settings_.min_score);
  const auto files =
      settings_.sources ? memo.files("sources", *settings_.sources) : memo.files("sources");
  const auto pace = settings_.pace;

  const auto deck = memo.stage(
      paid("deck_analyst"), inputs(provider, request, deck_files, files),
      [pace](rs::Context& ctx, const std::string& model, const Request& r,
             const std::vector<std::string>& names, const Files& f) {
        return ask(ctx, model, pace, [&](const model::Call& call) {
          const Sources all = read(f);
          return analyze_deck(call, r, only(all, names.empty() ? default_deck(all) : names));
        });
      });
  memo.artifact(deck, "0-deck-analysis.json");

  const auto research = memo.stage(paid("research"), inputs(provider, request, deck, files),
                                   [pace](rs::Context& ctx, const std::string& model,
                                          const Request& r, const Deck& d, const Files& f) {
                                     return ask(ctx, model, pace, [&](const model::Call& call) {
                                       return memo::research(call, r, d, read(f));
                                     });
                                   });
  memo.artifact(research, "1-research.json");

  const auto briefs =
      memo.stage(paid("section_research"), inputs(provider, request, research, files),
                 [pace](rs::Context& ctx, const std::string& model, const Request& r,
                        const Research& found, const Files& f) {
                   return ask(ctx, model, pace, [&](const model::Call& call) {
                     return research_sections(call, r, outline(r), found, read(f)).sections;
                   });
                 });
  memo.artifact(briefs, "1-section-research.json", sections_json);

  // Ten sections, each with a checkpoint of its own; four stages rewrite the same files in turn.
  constexpr std::string_view section_files = "2-sections/{position:02}-{item}.md";
  const auto draft =
      memo.stage(paid("draft"), inputs(provider, each(briefs, &SectionBrief::key)),
                 [pace](rs::Context& ctx, const std::string& model, const SectionBrief& brief) {
                   return ask(ctx, model, pace,
                              [&](const model::Call& call) { return draft_section(call, brief); });
                 });
  memo.artifact(draft, section_files, &Section::markdown);

  const auto header = memo.stage(
      paid("enrich_trademark"), inputs(provider, request, files, after(draft)),
      [pace](rs::Context& ctx, const std::string& model, const Request& r, const Files& f) {
        return ask(ctx, model, pace,
                   [&](const model::Call& call) { return enrich_trademark(call, r, read(f)); });
      });
  memo.artifact(header, "header.md", &Header::markdown);

  using Enrich = Section (*)(const model::Call&, const Section&, const Request&, const Sources&);
  const auto enricher = [pace](Enrich enrich) {
    return [pace, enrich](rs::Context& ctx, const std::string& model, const Section& section,
                          const Request& r, const Files& f) {
      return ask(ctx, model, pace,
                 [&](const model::Call& call) { return enrich(call, section, r, read(f)); });
    };
  };
  const auto socials = memo.stage(paid("enrich_socials"),
                                  inputs(provider, each(draft), request, files, after(header)),
                                  enricher(enrich_socials));
  memo.artifact(socials, section_files, &Section::markdown);
  const auto links =
      memo.stage(paid("enrich_links"), inputs(provider, each(socials), request, files),
                 enricher(enrich_links));
  memo.artifact(links, section_files, &Section::markdown);
  const auto sections =
      memo.stage(paid("enrich_visualizations"), inputs(provider, each(links), request, files),
                 enricher(enrich_visualizations));
  memo.artifact(sections, section_files, &Section::markdown);

  const auto cited = memo.stage(paid("cite"), inputs(provider, header, sections, files),
                                [pace](rs::Context& ctx, const std::string& model, const Header& h,
                                       const std::vector<Section>& s, const Files& f) {
                                  return ask(ctx, model, pace, [&](const model::Call& call) {
                                    return cite(call, h, s, read(f));
                                  });
                                });
  memo.artifact(cited, "4-final-draft.md", &FinalDraft::markdown);

  const auto citations = memo.stage(
      paid("validate_citations"), inputs(provider, cited, files),
      [pace](rs::Context& ctx, const std::string& model, const FinalDraft& d, const Files& f) {
        return ask(ctx, model, pace,
                   [&](const model::Call& call) { return validate_citations(call, d, read(f)); });
      });
  memo.artifact(citations, "3-validation.json");
  const auto facts = memo.stage(paid("fact_check"), inputs(provider, citations, cited, files),
                                [pace](rs::Context& ctx, const std::string& model,
                                       const Validation& v, const FinalDraft& d, const Files& f) {
                                  return ask(ctx, model, pace, [&](const model::Call& call) {
                                    return fact_check(call, v, d, read(f));
                                  });
                                });
  memo.artifact(facts, "3-validation.json");
  validation_ =
      memo.stage("validate", inputs(facts, briefs, sections),
                 [](const Validation& v, const std::vector<SectionBrief>& b,
                    const std::vector<Section>& s) { return validate(v, SectionResearch{b}, s); });
  memo.artifact(*validation_, "3-validation.json");

  state_ = memo.stage(
      "finalize",
      inputs(request, deck, research, briefs, header, sections, cited, *validation_, min_score),
      [](rs::Context& ctx, const Request& r, const Deck& d, const Research& found,
         const std::vector<SectionBrief>& b, const Header& h, const std::vector<Section>& s,
         const FinalDraft& text, const Validation& v, const double& enough) {
        if (v.overall_score.value_or(0.0) < enough) {
          ctx.wait(fmt::format("score {:.1f} of 10, below {:.1f}", v.overall_score.value_or(0.0),
                               enough));
        }
        return finalize(r, d, found, SectionResearch{b}, h, s, text, v);
      });
  memo.artifact(*state_, "state.json");
  memo.artifact(*state_, "4-final-draft.md", final_text);
}

}  // namespace memo
