// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing

/// Two channels of a device, left and right, as `--map` and `--route` name them: `3,4`.
package struct ChannelPair: Equatable {
  /// The channels, counted from 0.
  package let places: [Int]

  /// The channels that are played on where none are named.
  package static let first = ChannelPair(places: [0, 1])

  private init(places: [Int]) { self.places = places }

  /// Reads two numbers.
  ///
  /// - Parameters:
  ///   - text: the numbers, with a comma between.
  ///   - flag: what was written before them: the flag and its sign.
  /// - Throws: `ValidationError` where they are not two different ones of 1…64.
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

  /// The pair as it is written.
  package var text: String { places.map { "\($0 + 1)" }.joined(separator: ",") }
}
