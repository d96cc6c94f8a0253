// SPDX-License-Identifier: Apache-2.0

// Keys of dictionaries of settings, and values that are strings.

/// The format: a number such as `kAudioFormatMPEG4AAC`.
public let AVFormatIDKey = "AVFormatIDKey"

/// Frames per second: a number in hertz.
public let AVSampleRateKey = "AVSampleRateKey"

/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// Bits of a PCM sample: 8, 16, 24, 32, or 64 for floating point.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"

/// The byte order of a PCM sample: true for big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// The type of a PCM sample: true for floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"

/// The order of PCM samples: true if each channel has a separate buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The type of the file: a number such as `kAudioFileCAFType`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// The quality of a lossy encoder: the raw value of an `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"

/// The quality of a lossy encoder at a variable bit rate: the raw value of an `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"

/// Bits per second of an encoder.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// Bits per second of an encoder for each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"

/// The bit rate strategy of an encoder: an `AVAudioBitRateStrategy_…`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"

/// Bits of the samples that a lossless encoder receives: 8…32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The algorithm of a sample rate converter: an `AVSampleRateConverterAlgorithm_…`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"

/// The quality of a sample rate converter: the raw value of an `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// The channel layout: an `AudioChannelLayout` as `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// A constant bit rate.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"

/// A bit rate that is constant on average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"

/// A variable bit rate between limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"

/// A variable bit rate.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual algorithm.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"

/// The algorithm for mastering.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"

/// The algorithm without ringing before a sound.
public let AVSampleRateConverterAlgorithm_MinimumPhase =
  "AVSampleRateConverterAlgorithm_MinimumPhase"
