// SPDX-License-Identifier: Apache-2.0
public import AVFAudio
public import CoreMedia
internal import Foundation

extension AVAudioFormat {
  /// Creates an audio format from a Core Media format description.
  ///
  /// - Parameter formatDescription: The format description.
  public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    var description =
      formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription()
    let stated = formatDescription.audioChannelLayout.flatMap { layout in
      unsafe layout.withUnsafePointer { unsafe AVAudioChannelLayout(layout: $0) }
    }
    let channels = max(1, description.mChannelsPerFrame)
    description.mChannelsPerFrame = channels
    let layout =
      stated.flatMap { $0.channelCount == channels ? $0 : nil }
      ?? (channels > 2
        ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Unknown | (channels & 0xFFFF))
        : nil)
    self.init(description, layout: layout)
    magicCookie = formatDescription.magicCookie
  }

  /// The audio format as a Core Media format description.
  public var formatDescription: CMAudioFormatDescription {
    CMFormatDescription(
      asbd, layout: channelLayout?.managed, cookie: magicCookie.map { [UInt8]($0) } ?? [])
  }
}
