// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The bits a second of a lossy codec, as `--bitrate` takes them: `192k`, `128000`, `192kbps`.
struct BitrateChoice: ExpressibleByArgument, Equatable {
  /// Bits a second, 8,000…1,000,000: what some codec can do.
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
