// SPDX-License-Identifier: Apache-2.0
public import AVFAudio
public import CoreMedia
internal import Foundation

extension AVAudioFormat {
  /// Creates a format from a description of Core Media.
  ///
  /// - Parameter formatDescription: The description of sound.
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

  /// The format as a description of Core Media.
  public var formatDescription: CMAudioFormatDescription {
    CMFormatDescription(
      asbd, layout: channelLayout?.managed, cookie: magicCookie.map { [UInt8]($0) } ?? [])
  }
}
