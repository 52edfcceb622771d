/// @file
/// The thirteen stages of the memo as functions of their inputs. They read no clock and touch no
/// file, and keep nothing but what papers() has read; with the extractive provider equal inputs
/// give equal results, byte for byte. All may throw ProviderError and Stopped (provider.hpp). Those
/// that take one Section look at that section only, so each can be an item of a fan-out, keyed by
/// Section::key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memo/coverage.hpp"
#include "memo/grounds.hpp"
#include "memo/placing.hpp"
#include "memo/review.hpp"
#include "memo/source.hpp"
#include "memo/types.hpp"
#include "model/provider.hpp"

namespace memo {

/// deck_analyst: what the files of the deck say about the questions put to a deck. Without files
/// the usual profile files stand in for it.
/// @throws SourceError  naming a file that is not among the sources
Deck analyze_deck(const model::Call& call, const Request& request,
                  const std::vector<std::string>& files, const Sources& sources);

/// research: all questions of the outline put to all sources; what the deck says comes first.
Research research(const model::Call& call, const Request& request, const Deck& deck,
                  const Sources& sources);

/// section_research: one call for each section of `plans`, in that order. Of each section its
/// findings, chosen and put in reading order; the summary and the recommendation name only
/// questions that no section answers.
SectionResearch research_sections(const model::Call& call, const Request& request,
                                  const std::vector<SectionPlan>& plans, const Research& research,
                                  const Sources& sources);

/// draft: one section, one call. Says where its brief is silent.
Section draft_section(const model::Call& call, const SectionBrief& brief);

/// enrich_trademark: the head of the memo, with the company's name and mark.
Header enrich_trademark(const model::Call& call, const Request& request, const Sources& sources);

/// enrich_socials: adds profiles and channels that the sources link to. Only the team's section
/// changes; all others come back as they are.
Section enrich_socials(const model::Call& call, const Section& section, const Request& request,
                       const Sources& sources);

/// enrich_links: links the first mention of each thing to where the sources link it.
Section enrich_links(const model::Call& call, const Section& section, const Request& request,
                     const Sources& sources);

/// enrich_visualizations: adds the tables that fit an answered question of the section, below that
/// answer, after `<!-- viz:table -->`. A section that the outline does not know gets none.
Section enrich_visualizations(const model::Call& call, const Section& section,
                              const Request& request, const Sources& sources);

/// cite: marks every statement that a source backs, and assembles the memo.
FinalDraft cite(const model::Call& call, const Header& header, const std::vector<Section>& sections,
                const Sources& sources);

/// validate_citations: looks every cited statement up in its source.
Validation validate_citations(const model::Call& call, const FinalDraft& draft,
                              const Sources& sources);

/// fact_check: looks every figure up in the passage that is cited, with its unit and period
/// (backing.hpp), and for other figures in the other sources.
Validation fact_check(const model::Call& call, const Validation& before, const FinalDraft& draft,
                      const Sources& sources);

/// validate: the score of ten points, from counts alone: questions answered (a third of them is
/// enough: a short deck can be honest) and of those that the sources seem to answer, citations that
/// hold, statements that fit their questions, figures that hold, statements cited. One statement
/// that its source does not back keeps it below 8.0, and so does leaving out more than a third of
/// what the sources seem to answer, or placing more than a third of the statements under a question
/// that they hardly fit. So do sources that never name the company, answers that mostly fit their
/// questions loosely, and a memo that does not say what the company does, or nothing of what else
/// matters most (outline.json, `core`). `remarks` explains each term.
/// @param left_out  what left_out() finds (coverage.hpp)
/// @param placing  what placing() finds (placing.hpp)
/// @param grounds  what grounds() finds (grounds.hpp); none are judged if it counts nothing
/// @param differing  what differing() finds (restating.hpp); added to the conflicts
Validation validate(const Validation& before, const SectionResearch& research,
                    const std::vector<Section>& sections, const std::vector<LeftOut>& left_out = {},
                    const Placing& placing = {}, const Grounds& grounds = {},
                    const std::vector<Conflict>& differing = {});

/// finalize: the state, with the final memo: the draft and a review of it.
MemoState finalize(const Request& request, const Deck& deck, const Research& research,
                   const SectionResearch& section_research, const Header& header,
                   const std::vector<Section>& sections, const FinalDraft& draft,
                   const Validation& validation);

/// A section from a file that a person edited: statements are found in the sources again by cite.
/// Claims of `before` whose text is still there are kept.
Section edited_section(const Section& before, std::string markdown);

/// A draft from a file that a person edited: its citations are read from its text.
FinalDraft edited_draft(const FinalDraft& before, std::string markdown);

/// Whether the section has neither a statement from a source nor a remark.
bool is_silent(const Section& section) noexcept;

}  // namespace memo
