// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

extension StreamPlayer {
  /// An item that a player can play.
  public enum Item: Hashable, Sendable {
    /// A web address of a file, a radio station, or a list of addresses.
    case address(String)
    /// A sound file.
    ///
    /// A named pipe is played while another program writes to it.
    case file(path: String)
    /// A pipe, which is played while another program writes to it, given by its file descriptor.
    ///
    /// `name` is used in messages.
    case pipe(descriptor: Int32, name: String)
  }

  /// An event of a player, with the index of the item, counted from 0.
  ///
  /// An event that belongs to a position in the sound is reported when the position is audible. All
  /// other events are reported immediately.
  public enum Event: Sendable {
    /// The server of an item has replied.
    case opened(item: Int, HTTPReply)
    /// A file that can be played only after a complete download is being downloaded; `byteCount` is
    /// the size of the file.
    case fetching(item: Int, byteCount: Int64)
    /// The sound of an item starts, or continues in a different format.
    ///
    /// `bitrate` is in bits per second; nil if it is unknown.
    case playing(item: Int, SoundLayer, bitrate: Int?)
    /// The title of a radio station changes.
    case title(item: Int, StreamTitle)
    /// The connection was lost; after the pause, the player tries to reconnect.
    ///
    /// The event is reported once, even if several attempts are needed.
    case interrupted(item: Int, HTTPError, pause: Duration)
    /// Data arrives again.
    ///
    /// If `isContinuous` is false, sound is missing at this point.
    case resumed(item: Int, isContinuous: Bool)
    /// All sound that was received has been played, but the item has not ended: playback waits for
    /// more.
    case ranDry(item: Int)
    /// Playback continues after a wait; `seconds` is the duration of the silence.
    case wentOn(item: Int, seconds: Double)
    /// The copy is complete; `byteCount` is its size in bytes.
    case saved(path: String, byteCount: Int64)
    /// The copy was abandoned.
    case notSaved(HTTPError)
    /// The item has been played to its end.
    case ended(item: Int)
    /// The player moved to another item before the end of this one.
    case left(item: Int)
    /// The item cannot be played, or cannot be played to its end.
    ///
    /// The error is an `HTTPError` or a `SoundFileError`. The player continues with the next item.
    case failed(item: Int, any Error)
  }
}
