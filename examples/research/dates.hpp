/// @file
/// When a page was written, as people and programs say it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "research/html.hpp"

namespace research {

/// The first date in a text as `2025-03-01`, or `2025-03` if it names no day: `1 March 2025`,
/// `March 1st, 2025`, `2025-03-01`, `13/3/2025`, `March 2025`. Of `3/1/2025`, which may be January
/// or March, only `2025`.
std::optional<std::string> date_in(std::string_view text);

/// Whether a text has nothing but numbers and names of months; also if it is empty.
bool is_only_date(std::string_view text);

/// Whether a text says when a page was written, or by whom, and nothing else: `Last updated on
/// 3 April 2025`, `12 September 2025, by Ada Marek`.
bool is_dateline(std::string_view text);

/// When a page was last changed, else written; empty if nothing tells: what its markup says
/// (Document::date), a line such as `Last updated on 1 March 2025`, a short line with a date near
/// its beginning, its title or first heading, its path.
std::string date_of(const std::string& path, const Document& document);

/// When a passage of a page was written: `Version 2.4 (1 March 2025)` above it, or `1 March 2025: `
/// at its beginning. What comes after the date of its page is something else; then that counts.
std::string date_within(const Passage& passage, const std::string& date_of_page);

/// Whether a page says of itself that it is out of date: `This page has been replaced.`
bool holds_no_longer(const Page& page);

}  // namespace research
