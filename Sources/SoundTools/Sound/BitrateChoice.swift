// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--bitrate`, such as `192k`, `128000` or `192kbps`.
struct BitrateChoice: ExpressibleByArgument, Equatable {
  /// Bits per second, 8,000…1,000,000.
  ///
  /// Each codec supports only a part of this range.
  let bits: Int

  /// Reads a number, in thousands if it ends with `k` or is below 8,000: `192k`, `192`, `192000`;
  /// `bps`, `bit/s` or `b/s` may follow it.
  init?(argument: String) {
    guard let match = argument.lowercased().wholeMatch(of: /(\d+) ?(k?)(?:bps|bits?\/s|b\/s)?/),
      let number = Int(match.1)
    else { return nil }
    let hasSuffix = !match.2.isEmpty
    let isThousands = hasSuffix || number < 8_000
    let (bits, isTooMuch) = number.multipliedReportingOverflow(by: isThousands ? 1000 : 1)
    guard !isTooMuch, (8_000...1_000_000).contains(bits) else { return nil }
    self.bits = bits
  }
}
