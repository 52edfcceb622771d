// A secret is masked in every usual spelling, and nothing else is.
#include "core/secrets.hpp"

#include <cctype>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

namespace resumable::test {
namespace {

std::string masked(std::string text, std::string_view secret) {
  core::mask(text, secret, "(secret)");
  return text;
}

std::string percent(std::string_view text, const char* format = "%{:02X}") {
  std::string all;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    all += std::isalnum(byte) != 0 ? std::string(1, c) : fmt::format(fmt::runtime(format), byte);
  }
  return all;
}

std::string json(std::string_view text, bool ascii) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', ascii);
  return quoted.substr(1, quoted.size() - 2);
}

std::string xml(std::string_view text) {
  std::string all;
  for (const char c : text) {
    all += c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : std::string(1, c);
  }
  return all;
}

std::string base64(std::string_view text, bool url) {
  const std::string common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const std::string alphabet = common + (url ? "-_" : "+/");
  std::string all;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8U | (i + j < text.size() ? static_cast<unsigned char>(text[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool pad = i + j > text.size();
      all += pad ? '=' : alphabet[group >> (18 - 6 * j) & 63U];
    }
  }
  return all;
}

std::string hex(std::string_view text, const char* format = "{:02x}") {
  std::string all;
  for (const char c : text) all += fmt::format(fmt::runtime(format), static_cast<unsigned char>(c));
  return all;
}

constexpr std::string_view secret = "p@ss/w\"o\\rd é&<€> '🔑'";

TEST(Secrets, AreMaskedHoweverTheyAreEscaped) {
  for (const std::string& spelled :
       {std::string{secret}, percent(secret), percent(secret, "%{:02x}"), json(secret, false),
        json(secret, true), xml(secret), hex(secret), hex(secret, "{:02X}"),
        hex(secret, "\\x{:02x}"), hex(secret, "%{:02X}")}) {
    EXPECT_EQ(masked("GET /?key=" + spelled + "&next", secret), "GET /?key=(secret)&next");
  }
  EXPECT_EQ(masked("q=two+words", "two words"), "q=(secret)");
  EXPECT_EQ(masked("p\\/q\\/r", "p/q/r"), "(secret)") << "as some writers of JSON do";
  EXPECT_EQ(masked("a%2Fb/c%2fd", "a/b/c/d"), "(secret)") << "not each character is escaped";
}

TEST(Secrets, AreMaskedInBase64WhereverTheyBegin) {
  for (const char* before : {"", "u", "me", "me:", "user:"}) {
    for (const bool url : {false, true}) {
      const std::string whole = std::string{before} + std::string{secret} + ", and more";
      const std::string code = masked("Basic " + base64(whole, url), secret);
      EXPECT_NE(code.find("(secret)"), code.npos) << code;
      EXPECT_LT(code.size(), 45U) << code;
    }
  }
}

TEST(Secrets, OfSeveralLinesAreMaskedLineByLine) {
  const std::string key = "-----BEGIN KEY-----\r\nMIIEvQIBADANBgkq\r\nabc\r\n-----END KEY-----\n";
  EXPECT_EQ(masked("line MIIEvQIBADANBgkq has abc", key), "line (secret) has abc");
  EXPECT_EQ(masked(json(key, true), key), "(secret)");
}

TEST(Secrets, LeaveOtherTextAlone) {
  const std::string text = "%70 \\u0070 &#112; p%40 ab+/ {\"p\":\"\\\\\"} \xff\xfe %";
  for (const char* other : {"p@ss", "\\\\\\\\", "abc", "", "%%%%"}) {
    EXPECT_EQ(masked(text, other), text) << other;
  }
}

RC_GTEST_PROP(Secrets, AreNeverLeftInAnySpelling, ()) {
  const auto hidden =
      *rc::gen::suchThat(rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127)),
                         [](const std::string& text) { return text.size() >= 8; });
  const auto before = *rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127));
  const auto after = *rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127));
  const auto spelled = *rc::gen::element(hidden, percent(hidden), json(hidden, true), xml(hidden),
                                         hex(hidden), hex(hidden, "{:02X}"));
  RC_ASSERT(masked(before + spelled + after, hidden).find("(secret)") != std::string::npos);
  const std::string code = base64(before + hidden + after, false);
  RC_ASSERT(masked(code, hidden).find("(secret)") != std::string::npos);
}

}  // namespace
}  // namespace resumable::test
