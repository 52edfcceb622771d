/// @file
/// Units that stand in the name of a value: in a key of YAML, or in the head of a column.
#pragma once

#include <string>

namespace memo {

struct NamedValue {
  std::string name;
  std::string value;

  bool operator==(const NamedValue&) const = default;
};

/// `Gross margin percent` and `74` as `Gross margin` and `74 %`; `Burn EUR k per month` and `180`
/// as `Burn` and `EUR 180 thousand per month`. A value that is no bare number, a name without a
/// unit, and one that can be read in two ways (`price kg`, `vitamin d`) come back as they are.
NamedValue with_unit_of_name(std::string name, std::string value);

}  // namespace memo
