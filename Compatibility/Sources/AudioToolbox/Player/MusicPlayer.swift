// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Makes a player: it stands at beat 0, at rate 1, without a sequence.
///
/// - Returns: `noErr`; `ParamError`; `MemFullError` where a million objects are there already.
@discardableResult
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>?) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outPlayer)
    guard let handle = HandleTable.shared.add(PlayerBox()) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe out.pointee = handle.pointer
  }
}

/// Stops a player and frees it; its sequence stays.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func DisposeMusicPlayer(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard let handle = unsafe Handle(inPlayer), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
    player.dispose()
  }
}

/// Gives a player a sequence, or with nil none.
///
/// The destinations of its tracks stay as they were set.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while it plays; `CannotDoInCurrentContext`
///   where another player has the sequence.
@discardableResult
public func MusicPlayerSetSequence(
  _ inPlayer: MusicPlayer?, _ inSequence: MusicSequence?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let sequence = unsafe inSequence == nil ? nil : try object(inSequence, SequenceBox.self)
    try player.setSequence(sequence)
  }
}

/// The sequence of a player.
///
/// - Returns: `noErr`; `ParamError`; `NoSequence`, and nil, where it has none.
@discardableResult
public func MusicPlayerGetSequence(
  _ inPlayer: MusicPlayer?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outSequence)
    unsafe out.pointee = player.sequence?.pointer
    if unsafe out.pointee == nil { throw StatusError(kAudioToolboxErr_NoSequence) }
  }
}

/// Goes to a beat, playing or not; before 0 and behind the end, too.
///
/// The user callback is told of the user events before it. Without a sequence nothing happens.
///
/// - Returns: `noErr`; `ParamError`, for what is no number, too.
@discardableResult
public func MusicPlayerSetTime(_ inPlayer: MusicPlayer?, _ inTime: MusicTimeStamp) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard abs(inTime) <= BeatEvent.lastTime else { throw .parameter }
    player.setBeat(inTime)
  }
}

/// The beat at which a player is; it goes on behind the end, and past the end of a loop.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicPlayerGetTime(
  _ inPlayer: MusicPlayer?, _ outTime: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outTime).pointee = player.beat
  }
}

/// The host time at which a beat is or was played, to the nearest nanosecond.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState`, and 0, where it does not play, and for a beat
///   before the one at which it was started.
@discardableResult
public func MusicPlayerGetHostTimeForBeats(
  _ inPlayer: MusicPlayer?, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outHostTime)
    unsafe out.pointee = 0
    guard let time = try player.anchor().hostTime(of: inBeats) else {
      throw StatusError(kAudioToolboxErr_InvalidPlayerState)
    }
    unsafe out.pointee = time
  }
}

/// The beat that is or was played at a host time.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState`, and 0, where it does not play, and for a time
///   before its start.
@discardableResult
public func MusicPlayerGetBeatsForHostTime(
  _ inPlayer: MusicPlayer?, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outBeats)
    unsafe out.pointee = 0
    let anchor = try player.anchor()
    guard inHostTime >= anchor.hostTime else {
      throw StatusError(kAudioToolboxErr_InvalidPlayerState)
    }
    unsafe out.pointee = anchor.beat(at: inHostTime)
  }
}

/// Makes ready what a start needs, so that it takes less time; while it plays nothing happens.
///
/// - Returns: `noErr`; `ParamError`; `NoSequence`; `MemFullError` where no thread is to be had.
@discardableResult
public func MusicPlayerPreroll(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).preroll() }
}

/// Starts a player where it is; while it plays nothing happens.
///
/// - Returns: `noErr`; `ParamError`; `NoSequence`; `MemFullError` where no thread is to be had.
@discardableResult
public func MusicPlayerStart(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).start() }
}

/// Stops a player where it is; what sounds is released.
///
/// - Returns: `noErr`; `ParamError`; `NoSequence`.
@discardableResult
public func MusicPlayerStop(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).stop() }
}

/// Whether a player plays: from its start to its stop, behind the end of its sequence, too.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicPlayerIsPlaying(
  _ inPlayer: MusicPlayer?, _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outIsPlaying).pointee = DarwinBoolean(player.isPlaying)
  }
}

/// Sets how much faster than written a player plays: 2 is twice as fast; to a millionth.
///
/// - Returns: `noErr`; `ParamError`, for what is not above 0, and above 32, too.
@discardableResult
public func MusicPlayerSetPlayRateScalar(
  _ inPlayer: MusicPlayer?, _ inScaleRate: Float64
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard inScaleRate >= 1e-6, inScaleRate <= 32 else { throw .parameter }
    player.rate = inScaleRate
  }
}

/// How much faster than written a player plays.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicPlayerGetPlayRateScalar(
  _ inPlayer: MusicPlayer?, _ outScaleRate: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outScaleRate).pointee = player.rate
  }
}
