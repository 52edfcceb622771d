#include "memo/pipeline.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/codec.hpp>

#include "memo/adopting.hpp"
#include "memo/coverage.hpp"
#include "memo/extractive.hpp"
#include "memo/outline.hpp"
#include "memo/restating.hpp"
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

/// What stages.hpp declares asks a Call; with a provider's name in front it is a stage.
template <class Asked>
auto asking(const model::Calling& calling, Asked asked) {
  return model::asking<ExtractiveProvider>(calling,
                                           [asked](const model::Call& call, const auto&... values) {
                                             return asked(call, read(values)...);
                                           });
}

/// What a memo is made from.
struct Given {
  rs::Stage<Request> request;
  rs::Stage<std::vector<std::string>> deck;
  rs::Stage<std::string> provider;
  rs::Stage<double> min_score;
  rs::Stage<Files> files;
};

/// What the sources say.
struct Found {
  rs::Stage<Deck> deck;
  rs::Stage<Research> research;
  rs::Stage<std::vector<SectionBrief>> briefs;
};

/// The memo's text: each stage rewrites the sections of the one before it.
struct Written {
  rs::Stage<Header> header;
  rs::FanOut<Section> draft;
  rs::FanOut<Section> socials;
  rs::FanOut<Section> links;
  rs::FanOut<Section> sections;
  rs::Stage<FinalDraft> cited;
};

struct Reviewed {
  rs::Stage<Validation> citations;
  rs::Stage<Validation> facts;
  rs::Stage<Validation> validation;
};

Given declare_inputs(rs::Pipeline& memo, const Settings& settings) {
  return {
      .request = model::given(memo, "request", settings.request),
      .deck = model::given(memo, "deck", settings.deck),
      .provider = model::given(memo, "provider", settings.provider),
      .min_score = model::given(memo, "min_score", settings.min_score),
      .files = settings.sources ? memo.files("sources", *settings.sources) : memo.files("sources")};
}

Found declare_research(rs::Pipeline& memo, const Given& given, const model::Calling& calling) {
  const auto& [request, deck_files, provider, min_score, files] = given;
  const auto deck = memo.stage("deck_analyst", inputs(provider, request, deck_files, files),
                               asking(calling, analyze_deck));
  memo.artifact(deck, "0-deck-analysis.json");

  const auto research = memo.stage("research", inputs(provider, request, deck, files),
                                   asking(calling, memo::research));
  memo.artifact(research, "1-research.json");

  const auto briefs =
      memo.stage("section_research", inputs(provider, request, research, files),
                 asking(calling, [](const model::Call& call, const Request& r,
                                    const Research& found, const Sources& sources) {
                   return research_sections(call, r, outline(r), found, sources).sections;
                 }));
  memo.artifact(briefs, "1-section-research.json", sections_json, sections_of);
  return {deck, research, briefs};
}

/// Ten sections, each with its own checkpoint; four stages rewrite the same files in turn.
Written declare_text(rs::Pipeline& memo, const Given& given, const Found& found,
                     const model::Calling& calling) {
  const auto& [request, deck_files, provider, min_score, files] = given;
  constexpr std::string_view section_files = "2-sections/{position:02}-{item}.md";
  const auto draft = memo.stage("draft", inputs(provider, each(found.briefs, &SectionBrief::key)),
                                asking(calling, draft_section));
  memo.artifact(draft, section_files, &Section::markdown, with_markdown);

  const auto header = memo.stage("enrich_trademark", inputs(provider, request, files, after(draft)),
                                 asking(calling, enrich_trademark));
  memo.artifact(header, "header.md", &Header::markdown, header_with_markdown);

  const auto socials =
      memo.stage("enrich_socials", inputs(provider, each(draft), request, files, after(header)),
                 asking(calling, enrich_socials));
  memo.artifact(socials, section_files, &Section::markdown, with_markdown);
  const auto links = memo.stage("enrich_links", inputs(provider, each(socials), request, files),
                                asking(calling, enrich_links));
  memo.artifact(links, section_files, &Section::markdown, with_markdown);
  const auto sections =
      memo.stage("enrich_visualizations", inputs(provider, each(links), request, files),
                 asking(calling, enrich_visualizations));
  memo.artifact(sections, section_files, &Section::markdown, with_markdown);

  const auto cited =
      memo.stage("cite", inputs(provider, header, sections, files), asking(calling, cite));
  memo.artifact(cited, "4-final-draft.md", &FinalDraft::markdown, draft_with_markdown);
  return {header, draft, socials, links, sections, cited};
}

Reviewed declare_review(rs::Pipeline& memo, const Given& given, const Found& found,
                        const Written& written, const model::Calling& calling) {
  const auto& [request, deck_files, provider, min_score, files] = given;
  const auto citations = memo.stage("validate_citations", inputs(provider, written.cited, files),
                                    asking(calling, validate_citations));
  memo.artifact(citations, "3-validation.json");
  const auto facts = memo.stage("fact_check", inputs(provider, citations, written.cited, files),
                                asking(calling, fact_check));
  memo.artifact(facts, "3-validation.json");
  const auto validation = memo.stage(
      "validate", inputs(facts, found.briefs, written.sections, request, files),
      [](const Validation& v, const std::vector<SectionBrief>& b, const std::vector<Section>& s,
         const Request& r, const Files& f) {
        const SectionResearch research{b};
        const Sources sources = read(f);
        return validate(v, research, s, left_out(r, research, sources), placing(r, s, sources),
                        grounds(r, research, sources), differing(r, s, sources));
      });
  memo.artifact(validation, "3-validation.json");
  return {citations, facts, validation};
}

rs::Stage<MemoState> declare_end(rs::Pipeline& memo, const Given& given, const Found& found,
                                 const Written& written, const Reviewed& reviewed) {
  const auto state = memo.stage(
      "finalize",
      inputs(given.request, found.deck, found.research, found.briefs, written.header,
             written.sections, written.cited, reviewed.validation, given.min_score),
      [](rs::Context& ctx, const Request& r, const Deck& d, const Research& answers,
         const std::vector<SectionBrief>& b, const Header& h, const std::vector<Section>& s,
         const FinalDraft& text, const Validation& v, const double& enough) {
        if (v.overall_score.value_or(0.0) < enough) {
          ctx.require_approval(fmt::format("score {:.1f} of 10, below {:.1f}",
                                           v.overall_score.value_or(0.0), enough));
        }
        return finalize(r, d, answers, SectionResearch{b}, h, s, text, v);
      });
  memo.artifact(state, "state.json");
  memo.artifact(state, "4-final-draft.md", final_text, state_with_text);
  return state;
}

/// What the files of a memo without checkpoints show.
void declare_adoption(rs::Pipeline& memo, const Written& written, const Reviewed& reviewed) {
  memo.adopt_as(written.header, adopted_header);
  for (const auto& sections : {written.draft, written.socials, written.links, written.sections}) {
    memo.adopt_as(sections, adopted_section);
  }
  memo.adopt_if(written.socials, shows_profiles);
  memo.adopt_if(written.links, shows_links);
  memo.adopt_if(written.sections, shows_tables);
  memo.adopt_as(written.cited, adopted_draft);
  memo.adopt_if(written.cited, shows_citations);
  const auto has = [](const char* part) {
    return [part](const rs::FoundFile& file) { return shows_part(file, part); };
  };
  memo.adopt_if(reviewed.citations, has("citation_validation"));
  memo.adopt_if(reviewed.facts, has("fact_check_results"));
  memo.adopt_if(reviewed.validation, has("overall_score"));
}

}  // namespace

MemoPipeline::MemoPipeline(const Settings& settings) {
  const model::Calling calling{settings.pace, settings.retry_first, settings.terms};
  const Given given = declare_inputs(pipeline_, settings);
  const Found found = declare_research(pipeline_, given, calling);
  const Written written = declare_text(pipeline_, given, found, calling);
  const Reviewed reviewed = declare_review(pipeline_, given, found, written, calling);
  validation_ = reviewed.validation;
  state_ = declare_end(pipeline_, given, found, written, reviewed);
  declare_adoption(pipeline_, written, reviewed);
}

}  // namespace memo
