// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

extension StreamPlayer {
  /// What is played.
  public enum Item: Hashable, Sendable {
    /// An address of HTTP: a file, a radio station, or a list of such addresses.
    case address(String)
    /// A sound file; a named pipe sounds while it fills.
    case file(path: String)
    /// A descriptor of a pipe, which sounds while it fills; and its name in messages.
    case pipe(descriptor: Int32, name: String)
  }

  /// What happens; each with the number of the item, counted from 0.
  public enum Event: Sendable {
    /// A server has replied; told at once.
    case opened(item: Int, HTTPReply)
    /// A file that cannot be played as it comes is fetched whole; told at once.
    case fetching(item: Int, byteCount: Int64)
    /// Its sound is heard from here on, or in another format, and at so many bits a second where that
    /// is known.
    case playing(item: Int, SoundLayer, bitrate: Int?)
    /// What a radio station plays from here on.
    case title(item: Int, StreamTitle)
    /// The connection is lost and is made anew in a while; told at once, and once until bytes come.
    case interrupted(item: Int, HTTPError, pause: Duration)
    /// Bytes come again; without continuity, sound is missing. Told at once.
    case resumed(item: Int, isContinuous: Bool)
    /// There is nothing left to be heard, though more is to come.
    case ranDry(item: Int)
    /// It is heard again, after so many seconds of silence.
    case wentOn(item: Int, seconds: Double)
    /// The bytes of an address are all in the file that was asked for; reported at once.
    case saved(path: String, byteCount: Int64)
    /// The file that was asked for is not kept; reported at once.
    case notSaved(HTTPError)
    /// Its last sound was heard.
    case ended(item: Int)
    /// Another was gone to before its end; told at once.
    case left(item: Int)
    /// It cannot be played, or no further: an `HTTPError` or a `SoundFileError`. Told at once; what
    /// follows it is played.
    case failed(item: Int, any Error)
  }
}
