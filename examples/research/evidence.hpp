/// @file
/// What bears on a topic. The same pages and topic give the same order on every machine; equals
/// keep the order of the pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "research/agreement.hpp"
#include "research/revisions.hpp"
#include "research/units.hpp"
#include "text/bm25.hpp"

namespace research {

/// The units of a site, each with how much it bears on the topic: by its own words, by those of its
/// heading, title and tags, and by what stands around it (spreading.hpp), since a sentence of a
/// page about the topic rarely repeats its words.
class Evidence {
 public:
  /// @param topic  empty: the site's title, and nothing is beside the point
  Evidence(const Scrape& scrape, const std::string& topic);

  [[nodiscard]] const std::vector<Unit>& units() const noexcept { return units_; }
  /// The stems of a unit, with those of its heading and columns.
  [[nodiscard]] const std::vector<std::string>& terms_of(std::size_t unit) const {
    return terms_[unit];
  }
  [[nodiscard]] const ::text::Index& index() const noexcept { return by_unit_; }

  /// How much a unit bears on the topic, in thousandths of what is possible.
  [[nodiscard]] std::size_t weight(std::size_t unit) const { return weights_[unit]; }

  /// What is worth quoting first: the weight, more on a page that is like those on the topic, on a
  /// later page and with figures, less for many words, in the writers' own voice and on the start
  /// page.
  [[nodiscard]] std::size_t value(std::size_t unit) const { return values_[unit]; }
  /// What should stand first in a report: as value(), however long it is, and less on pages about
  /// other things of the same kind.
  [[nodiscard]] std::size_t prominence(std::size_t unit) const;

  /// The units that bear on the topic, those that tell most first, none that repeats another.
  [[nodiscard]] std::vector<std::size_t> relevant() const;

  /// Of these, as much as a report may quote, the best first: each with what belongs to it, as the
  /// rest of its table and what corrects it.
  [[nodiscard]] std::vector<std::vector<std::size_t>> chosen(
      const std::vector<std::size_t>& all) const;

  /// What later pages say on these units with other figures: it belongs into a report that quotes
  /// them, however little it says of the topic. Where a page takes a figure back, the figures
  /// around it belong to it.
  [[nodiscard]] std::vector<std::size_t> corrections(const std::vector<std::size_t>& units) const;

  /// The units of later pages on the topic that likely have newer figures for the same thing.
  [[nodiscard]] const std::vector<std::size_t>& newer_than(std::size_t unit) const {
    return newer_[unit];
  }

  [[nodiscard]] std::size_t words_of_page(std::size_t page) const { return page_words_[page]; }

  /// Words of the topic that stand on no page.
  [[nodiscard]] const std::vector<std::string>& silent() const noexcept { return silent_; }

 private:
  /// A word of the topic: its stem and how rare it is.
  struct Asked {
    std::string term;
    std::int64_t rarity = 0;
  };
  using Terms = std::vector<std::string>;
  void read(const Scrape& scrape);
  void read_before(std::size_t unit);
  void read_topic(const std::string& topic);
  void weigh(const Scrape& scrape);
  void find_newer();
  void find_prose();
  void find_main(const Scrape& scrape);
  [[nodiscard]] bool has_passed(std::size_t unit, const std::string& latest) const;
  [[nodiscard]] bool is_beside(const Unit& unit) const;
  [[nodiscard]] std::size_t place_percent(std::size_t unit) const;
  [[nodiscard]] bool is_aside(std::size_t unit) const;
  [[nodiscard]] std::size_t worth_in_place(std::size_t unit) const;
  [[nodiscard]] std::int64_t part_of_topic(const std::string& text) const;
  [[nodiscard]] std::vector<std::size_t> whole(std::size_t unit) const;
  [[nodiscard]] bool is_entry(std::size_t unit) const;
  [[nodiscard]] std::size_t least_percent_of(std::size_t unit) const;
  [[nodiscard]] std::size_t room(const std::vector<std::size_t>& units) const;

  std::vector<Unit> units_;
  std::string topic_;
  std::vector<Terms> terms_;
  std::vector<std::size_t> page_words_;
  std::vector<std::size_t> lateness_;  ///< of each unit, in percent
  std::vector<bool> is_other_;  ///< pages about something else that goes by a word of the topic
  ::text::Index by_unit_;
  ::text::Index by_section_;
  std::vector<Asked> asked_;
  std::string initials_;            ///< by which the pages name the topic, too
  std::vector<bool> is_prose_;      ///< pages
  std::vector<bool> is_main_;       ///< pages with the topic as their title
  std::vector<std::size_t> place_;  ///< of each unit on its page
  std::vector<Said> said_;
  std::vector<std::vector<std::size_t>> newer_;  ///< for each unit
  std::vector<std::string> silent_;
  std::vector<std::size_t> weights_;
  std::vector<bool> is_named_;  ///< pages that have a word of the topic in their title or path
  std::vector<std::size_t> bearings_;  ///< the weights, with what the pages are about
  std::vector<std::size_t> values_;
  bool open_ = false;  ///< no topic was named, or all of the site is about it
};

}  // namespace research
