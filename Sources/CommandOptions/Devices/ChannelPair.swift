// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing

/// A pair of channels of a device, left and right, as in `--map` and `--route`: `3,4`.
package struct ChannelPair: Equatable {
  /// The channels, counted from 0.
  package let places: [Int]

  /// The default pair: the first two channels.
  package static let first = ChannelPair(places: [0, 1])

  private init(places: [Int]) { self.places = places }

  /// Reads two channel numbers.
  ///
  /// - Parameters:
  ///   - text: The numbers, separated by a comma.
  ///   - flag: The text before them, for errors: the option with its separator.
  /// - Throws: `ValidationError` if they are not two different numbers in 1…64.
  package init(parsing text: String, of flag: String) throws {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let most = ChannelMap.mostChannels
    guard numbers.count == 2, numbers.allSatisfy((1...most).contains) else {
      throw ValidationError("\(flag)\(text): must be two channels in 1…\(most) (try 3,4)")
    }
    guard numbers[0] != numbers[1] else {
      throw ValidationError("\(flag)\(text): left and right must differ (try 3,4)")
    }
    places = numbers.map { $0 - 1 }
  }

  /// The pair as it is typed.
  package var text: String { places.map { "\($0 + 1)" }.joined(separator: ",") }
}
