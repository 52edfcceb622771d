#include "memo/pipeline.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>

#include "memo/adopting.hpp"
#include "memo/coverage.hpp"
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
  if (sources.empty())
    throw SourceError("no .md, .txt, .csv, .yml, .yaml or .pdf file is among the sources");
  return sources;
}

/// Any other input as it is.
template <class T>
const T& read(const T& value) {
  return value;
}

std::string sections_json(const std::vector<SectionBrief>& sections) {
  return nlohmann::json(SectionResearch{sections}).dump(2) + "\n";
}

std::vector<SectionBrief> sections_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  const auto research = json.get<SectionResearch>();
  if (nlohmann::json(research) != json) {
    throw std::invalid_argument("a field that the plan of a section does not have");
  }
  return research.sections;
}

std::string final_text(const MemoState& state) { return state.final_memo; }

// What a user has written in place of a text.
Section with_markdown(const std::string& text, const Section& former) {
  return edited_section(former, text);
}

Header header_with_markdown(const std::string& text, const Header& former) {
  Header header = former;
  header.markdown = text;
  return header;
}

FinalDraft draft_with_markdown(const std::string& text, const FinalDraft& former) {
  return edited_draft(former, text);
}

MemoState state_with_text(const std::string& text, const MemoState& former) {
  MemoState state = former;
  state.final_memo = text;
  return state;
}

}  // namespace

MemoPipeline::MemoPipeline(Settings settings) : settings_(std::move(settings)) { declare(); }

void MemoPipeline::declare() {
  rs::Pipeline& memo = pipeline_;
  const auto request = model::given(memo, "request", settings_.request);
  const auto deck_files = model::given(memo, "deck", settings_.deck);
  const auto provider = model::given(memo, "provider", settings_.provider);
  const auto min_score = model::given(memo, "min_score", settings_.min_score);
  const auto files =
      settings_.sources ? memo.files("sources", *settings_.sources) : memo.files("sources");
  // What stages.hpp declares asks a Call; with a provider's name in front it is a stage.
  const model::Calling calling{settings_.pace, settings_.retry_first, settings_.prices};
  const auto asking = [calling](auto stage) {
    return model::asking<ExtractiveProvider>(
        calling, [stage](const model::Call& call, const auto&... values) {
          return stage(call, read(values)...);
        });
  };

  const auto deck = memo.stage("deck_analyst", inputs(provider, request, deck_files, files),
                               asking(analyze_deck));
  memo.artifact(deck, "0-deck-analysis.json");

  const auto research =
      memo.stage("research", inputs(provider, request, deck, files), asking(memo::research));
  memo.artifact(research, "1-research.json");

  const auto briefs =
      memo.stage("section_research", inputs(provider, request, research, files),
                 asking([](const model::Call& call, const Request& r, const Research& found,
                           const Sources& sources) {
                   return research_sections(call, r, outline(r), found, sources).sections;
                 }));
  memo.artifact(briefs, "1-section-research.json", sections_json, sections_of);

  // Ten sections, each with its own checkpoint; four stages rewrite the same files in turn.
  constexpr std::string_view section_files = "2-sections/{position:02}-{item}.md";
  const auto draft = memo.stage("draft", inputs(provider, each(briefs, &SectionBrief::key)),
                                asking(draft_section));
  memo.artifact(draft, section_files, &Section::markdown, with_markdown);

  const auto header = memo.stage("enrich_trademark", inputs(provider, request, files, after(draft)),
                                 asking(enrich_trademark));
  memo.artifact(header, "header.md", &Header::markdown, header_with_markdown);

  const auto socials =
      memo.stage("enrich_socials", inputs(provider, each(draft), request, files, after(header)),
                 asking(enrich_socials));
  memo.artifact(socials, section_files, &Section::markdown, with_markdown);
  const auto links = memo.stage("enrich_links", inputs(provider, each(socials), request, files),
                                asking(enrich_links));
  memo.artifact(links, section_files, &Section::markdown, with_markdown);
  const auto sections =
      memo.stage("enrich_visualizations", inputs(provider, each(links), request, files),
                 asking(enrich_visualizations));
  memo.artifact(sections, section_files, &Section::markdown, with_markdown);

  const auto cited = memo.stage("cite", inputs(provider, header, sections, files), asking(cite));
  memo.artifact(cited, "4-final-draft.md", &FinalDraft::markdown, draft_with_markdown);

  const auto citations =
      memo.stage("validate_citations", inputs(provider, cited, files), asking(validate_citations));
  memo.artifact(citations, "3-validation.json");
  const auto facts =
      memo.stage("fact_check", inputs(provider, citations, cited, files), asking(fact_check));
  memo.artifact(facts, "3-validation.json");
  validation_ = memo.stage("validate", inputs(facts, briefs, sections, request, files),
                           [](const Validation& v, const std::vector<SectionBrief>& b,
                              const std::vector<Section>& s, const Request& r, const Files& f) {
                             const SectionResearch research{b};
                             return validate(v, research, s, left_out(r, research, read(f)));
                           });
  memo.artifact(*validation_, "3-validation.json");

  state_ = memo.stage(
      "finalize",
      inputs(request, deck, research, briefs, header, sections, cited, *validation_, min_score),
      [](rs::Context& ctx, const Request& r, const Deck& d, const Research& found,
         const std::vector<SectionBrief>& b, const Header& h, const std::vector<Section>& s,
         const FinalDraft& text, const Validation& v, const double& enough) {
        if (v.overall_score.value_or(0.0) < enough) {
          ctx.require_approval(fmt::format("score {:.1f} of 10, below {:.1f}",
                                           v.overall_score.value_or(0.0), enough));
        }
        return finalize(r, d, found, SectionResearch{b}, h, s, text, v);
      });
  memo.artifact(*state_, "state.json");
  memo.artifact(*state_, "4-final-draft.md", final_text, state_with_text);

  // What the files of a memo without checkpoints show.
  memo.adopt_as(header, adopted_header);
  for (const auto& sections_of_stage : {draft, socials, links, sections}) {
    memo.adopt_as(sections_of_stage, adopted_section);
  }
  memo.adopt_if(socials, shows_profiles);
  memo.adopt_if(links, shows_links);
  memo.adopt_if(sections, shows_tables);
  memo.adopt_as(cited, adopted_draft);
  memo.adopt_if(cited, shows_citations);
  const auto has = [](const char* part) {
    return [part](const rs::FoundFile& file) { return shows_part(file, part); };
  };
  memo.adopt_if(citations, has("citation_validation"));
  memo.adopt_if(facts, has("fact_check_results"));
  memo.adopt_if(*validation_, has("overall_score"));
}

}  // namespace memo
