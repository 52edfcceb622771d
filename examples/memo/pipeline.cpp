// The whole workflow: which stage reads what, which file each one leaves, how a person's edit of
// that file becomes a value again, and when a person has to approve. What the stages do is in
// stages.hpp; nothing there knows that it can be interrupted.
#include "memo/pipeline.hpp"

#include <fmt/format.h>
#include <resumable/codec.hpp>

#include "memo/adopting.hpp"
#include "memo/sources.hpp"
#include "memo/stages.hpp"
#include "model/quoting.hpp"

namespace memo {
namespace {

namespace rs = resumable;
using Files = std::vector<rs::SourceFile>;
using Sections = rs::FanOut<Section>;
using model::is_quoting;

/// A stage that asks the provider. Each answer is a step of the stage: it is committed before
/// anything else is done with it, and a call that fails is tried up to four times
/// (model/model.cpp).
template <class F>
auto asking(const model::Calling& calling, F f) {
  return model::asking<model::QuotingProvider>(calling, std::move(f));
}

struct Inputs {
  rs::Stage<Request> request;
  rs::Stage<std::vector<std::string>> deck;
  rs::Stage<std::string> provider;
  rs::Stage<double> min_score;
  rs::Stage<Files> files;
};

Inputs declare_inputs(rs::Pipeline& memo, const Settings& given) {
  return {.request = model::given(memo, "request", given.request),
          .deck = model::given(memo, "deck", given.deck),
          .provider = model::given(memo, "provider", given.provider),
          .min_score = model::given(memo, "min_score", given.min_score),
          .files = given.sources ? memo.files("sources", *given.sources) : memo.files("sources")};
}

/// What the sources say: three JSON files. A quote that a person adds to one is evidence from then
/// on, and what follows runs again.
struct Found {
  rs::Stage<Deck> deck;
  rs::Stage<Research> research;
  rs::Stage<std::vector<Brief>> briefs;
};

Found declare_research(rs::Pipeline& memo, const Inputs& in, const model::Calling& calling) {
  const auto deck =
      memo.stage("deck_analyst", inputs(in.provider, in.request, in.deck, in.files),
                 asking(calling, [](const model::Call& call, const Request& request,
                                    const std::vector<std::string>& names, const Files& files) {
                   return analyze_deck(call, request, names, *read_sources(files));
                 }));
  memo.artifact(deck, "0-deck-analysis.json", as_json<Deck>, edited_deck);
  memo.adopt_as(deck, adopted_deck);

  const auto research =
      memo.stage("research", inputs(in.provider, in.request, deck, in.files),
                 [](const std::string& provider, const Request& request, const Deck& said,
                    const Files& files) {
                   return memo::research(request, said, *read_sources(files), is_quoting(provider));
                 });
  memo.artifact(research, "1-research.json", as_json<Research>, edited_research);
  memo.adopt_as(research, adopted_research);

  const auto briefs =
      memo.stage("section_research", inputs(in.provider, in.request, research),
                 [](const std::string& provider, const Request& request, const Research& found) {
                   return research_sections(request, found, is_quoting(provider));
                 });
  memo.artifact(briefs, "1-section-research.json", briefs_json, edited_briefs);
  memo.adopt_as(briefs, adopted_briefs);
  return {deck, research, briefs};
}

/// Ten sections, each with its own checkpoint. Four stages write the same ten files, each from what
/// the one before it left there: the last that is done owns them.
Sections declare_section_stage(rs::Pipeline& memo, const Sections& sections) {
  memo.artifact(sections, "2-sections/{position:02}-{item}.md", &Section::markdown, edited_section);
  memo.adopt_as(sections, adopted_section);
  return sections;
}

struct Written {
  rs::Stage<Text> header;
  Sections sections;
  rs::Stage<Text> draft;
};

Written declare_text(rs::Pipeline& memo, const Inputs& in, const Found& found,
                     const model::Calling& calling) {
  const Sections draft = declare_section_stage(
      memo, memo.stage("draft", inputs(in.provider, each(found.briefs, &Brief::key)),
                       asking(calling, draft_section)));
  const auto header = memo.stage(
      "enrich_trademark", inputs(in.provider, in.request, found.briefs, in.files, after(draft)),
      [](const std::string& provider, const Request& request, const std::vector<Brief>& briefs,
         const Files& files) {
        return enrich_trademark(request, briefs, *read_sources(files), is_quoting(provider));
      });
  memo.artifact(header, "header.md", &Text::markdown,
                [](const std::string& text) { return Text{text}; });
  memo.adopt_as(header, adopted_text);

  const auto with_sources = [](Section (*enrich)(const Section&, const Sources&)) {
    return [enrich](const Section& section, const Files& files) {
      return enrich(section, *read_sources(files));
    };
  };
  const Sections socials = declare_section_stage(
      memo, memo.stage("enrich_socials", inputs(each(draft), in.files, after(header)),
                       with_sources(enrich_socials)));
  memo.adopt_if(socials, shows_profiles);
  const Sections links = declare_section_stage(
      memo,
      memo.stage("enrich_links", inputs(each(socials), in.files), with_sources(enrich_links)));
  memo.adopt_if(links, shows_links);
  const Sections sections =
      declare_section_stage(memo, memo.stage("enrich_visualizations", inputs(each(links), in.files),
                                             with_sources(enrich_visualizations)));
  memo.adopt_if(sections, shows_tables);

  const auto cited = memo.stage("cite", inputs(header, sections, found.briefs), cite);
  memo.artifact(cited, "4-final-draft.md", &Text::markdown,
                [](const std::string& text) { return Text{text}; });
  memo.adopt_as(cited, adopted_text);
  memo.adopt_if(cited, shows_citations);
  return {header, sections, cited};
}

/// Three stages fill in one file, in turn.
rs::Stage<Validation> declare_validation(rs::Pipeline& memo, const Inputs& in, const Found& found,
                                         const Written& written, const model::Calling& calling) {
  const auto file_of = [&](const rs::Stage<Validation>& stage, const char* part) {
    memo.artifact(stage, "3-validation.json");
    memo.adopt_if(stage, [part](const rs::FoundFile& file) { return shows_part(file, part); });
  };
  const auto citations =
      memo.stage("validate_citations", inputs(in.request, written.draft, found.briefs, in.files),
                 [](const Request& request, const Text& draft, const std::vector<Brief>& briefs,
                    const Files& files) {
                   return validate_citations(request, draft, briefs, *read_sources(files));
                 });
  file_of(citations, "citation_validation");
  const auto facts = memo.stage(
      "fact_check",
      inputs(in.provider, citations, in.request, written.draft, found.briefs, in.files),
      asking(calling, [](const model::Call& call, const Validation& before, const Request& request,
                         const Text& draft, const std::vector<Brief>& briefs, const Files& files) {
        return fact_check(call, before, request, draft, briefs, *read_sources(files));
      }));
  file_of(facts, "fact_check_results");
  const auto validation =
      memo.stage("validate", inputs(facts, written.sections, found.briefs), validate);
  file_of(validation, "overall_score");
  return validation;
}

/// A score that is too low waits for a person: exit code 75 until `memo approve`.
rs::Stage<MemoState> declare_end(rs::Pipeline& memo, const Inputs& in, const Found& found,
                                 const Written& written, const rs::Stage<Validation>& validation) {
  const auto state = memo.stage(
      "finalize",
      inputs(in.request, found.deck, found.research, found.briefs, written.header, written.sections,
             written.draft, validation, in.min_score),
      [](rs::Context& ctx, const Request& request, const Deck& deck, const Research& research,
         const std::vector<Brief>& briefs, const Text& header, const std::vector<Section>& sections,
         const Text& draft, const Validation& checked, const double& enough) {
        const double score = checked.overall_score.value_or(0.0);
        if (score < enough) {
          ctx.require_approval(fmt::format("score {:.1f} of 10, below {:.1f}", score, enough));
        }
        return finalize(request, deck, research, briefs, header, sections, draft, checked);
      });
  memo.artifact(state, "state.json");
  memo.artifact(state, "4-final-draft.md", &MemoState::final_memo,
                [](const std::string& text, const MemoState& former) {
                  MemoState edited = former;
                  edited.final_memo = text;
                  return edited;
                });
  return state;
}

}  // namespace

MemoPipeline::MemoPipeline(const Settings& settings) {
  const Inputs in = declare_inputs(pipeline_, settings);
  const Found found = declare_research(pipeline_, in, settings.calling);
  const Written written = declare_text(pipeline_, in, found, settings.calling);
  const auto validation = declare_validation(pipeline_, in, found, written, settings.calling);
  state_ = declare_end(pipeline_, in, found, written, validation);
}

}  // namespace memo
