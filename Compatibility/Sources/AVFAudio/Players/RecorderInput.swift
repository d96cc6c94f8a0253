// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioProcessing
internal import AudioToolbox
internal import MusicalTime

/// The devices that recorders record from.
enum RecorderInput {
  /// Opens the session's input; on a machine that cannot record, an input of silence in real time.
  ///
  /// - Parameters:
  ///   - rate: The rate.
  ///   - channelCount: The number of channels.
  /// - Returns: The input.
  /// - Throws: `DeviceError`.
  static func open(rate: SampleRate, channelCount: Int) throws -> any SoundInput {
    var wishes = ALSAInput.Wishes()
    wishes.device = SessionPort.input?.device ?? "null"
    wishes.channelCount = channelCount
    wishes.patience = 3600
    return try ALSAInput(rate: rate, wishes: wishes)
  }
}
