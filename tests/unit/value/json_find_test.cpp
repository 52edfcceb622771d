#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

constexpr std::string_view sample =
    R"( { "a" : [ 1 , [2, "]"] , {"b\"/~" : "}{"} ] , "\u00e4": true, "" : null , "z" :-2.5e3} )";

std::optional<std::string_view> find(std::string_view pointer) {
  return detail::find_json(sample, pointer);
}

TEST(JsonFind, FindsEachValueOfADocument) {
  EXPECT_EQ(find(""), sample);
  EXPECT_EQ(find("/a"), R"([ 1 , [2, "]"] , {"b\"/~" : "}{"} ])");
  EXPECT_EQ(find("/a/0"), "1");
  EXPECT_EQ(find("/a/1"), R"([2, "]"])");
  EXPECT_EQ(find("/a/1/1"), R"("]")");
  EXPECT_EQ(find("/a/2/b\"~1~0"), R"("}{")");
  EXPECT_EQ(find("/ä"), "true");
  EXPECT_EQ(find("/"), "null");
  EXPECT_EQ(find("/z"), "-2.5e3");
}

TEST(JsonFind, FindsNothingWhereNothingIs) {
  for (const char* pointer : {"/b", "/a/3", "/a/-", "/a/01", "/a/1x", "/a/+1", "/a/", "/a/0/0",
                              "/a/18446744073709551616", "/z/0", "/ /", "/a/2/b\"", "/A"}) {
    EXPECT_EQ(find(pointer), std::nullopt) << pointer;
  }
  EXPECT_EQ(detail::find_json("[]", "/0"), std::nullopt);
  EXPECT_EQ(detail::find_json("{}", "/"), std::nullopt);
  EXPECT_EQ(detail::find_json("", "/0"), std::nullopt);
}

TEST(JsonFind, APointerBeginsWithASlash) {
  EXPECT_EQ(refusal([] { static_cast<void>(find("a")); }).code, Errc::bad_option);
}

TEST(JsonFind, StopsAtTheValueWhateverComesAfterIt) {
  EXPECT_EQ(detail::find_json(R"({"a":[7, nonsense)", "/a/0"), "7");
}

TEST(JsonFind, EndsWithATextThatIsCutAnywhere) {
  for (std::size_t size = 0; size < sample.size(); ++size) {
    const std::string cut{sample.substr(0, size)};  // its end is the end of a block of memory
    for (const char* pointer : {"/a", "/a/1/1", "/a/2/b\"~1~0", "/ä", "/z", "/none"}) {
      try {
        const auto part = detail::find_json(cut, pointer);
        EXPECT_TRUE(!part || part->data() + part->size() <= cut.data() + cut.size());
      } catch (const Error& error) {
        EXPECT_EQ(error.errc(), Errc::not_decodable);
      }
    }
  }
}

/// All pointers of a document, with nlohmann's own search for each.
void compare(const Json& whole, const Json& part, const std::string& text,
             const std::string& pointer) {
  const auto found = detail::find_json(text, pointer);
  RC_ASSERT(found.has_value());
  RC_ASSERT(Json::parse(*found) == whole.at(Json::json_pointer(pointer)));
  if (part.is_object()) {
    for (const auto& [key, value] : part.items()) {
      compare(whole, value, text, (Json::json_pointer(pointer) / key).to_string());
    }
  } else if (part.is_array()) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      compare(whole, part[i], text, pointer + "/" + std::to_string(i));
    }
  }
}

std::string text_to_quote() {
  std::string text = *rc::gen::string<std::string>();
  for (char& c : text) c = static_cast<char>(static_cast<unsigned char>(c) % 0x80);
  return text + *rc::gen::element("", "\"", "\\", "/", "~", "[", "}", "\u00e4");
}

Json any_document(int depth) {
  const int kind = depth > 0 ? *rc::gen::element(0, 1, 2, 3, 3, 4, 4) : *rc::gen::element(0, 1, 2);
  if (kind == 0) return *rc::gen::arbitrary<bool>();
  if (kind == 1) return *rc::gen::arbitrary<std::int64_t>();
  if (kind == 2) return text_to_quote();
  Json result = kind == 3 ? Json::array() : Json::object();
  for (int i = *rc::gen::element(0, 1, 2, 3, 4); i > 0; --i) {
    if (kind == 3) {
      result.push_back(any_document(depth - 1));
    } else {
      result[text_to_quote()] = any_document(depth - 1);
    }
  }
  return result;
}

RC_GTEST_PROP(JsonFindProperty, FindsWhatAParserFinds, ()) {
  const Json document = any_document(4);
  const int indent = *rc::gen::element(-1, 1);
  compare(document, document, document.dump(indent), "");
}

}  // namespace
}  // namespace resumable::testing_support
