// SPDX-License-Identifier: Apache-2.0

// Keys of dictionaries of settings, and values that are strings.

/// The settings key for the format: a number such as `kAudioFormatMPEG4AAC`.
public let AVFormatIDKey = "AVFormatIDKey"

/// The settings key for the sample rate: a number in hertz.
public let AVSampleRateKey = "AVSampleRateKey"

/// The settings key for the number of channels: an integer.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// The settings key for the bit depth of PCM samples: 8, 16, 24 or 32 for integers; 32 or 64 for
/// floating point.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"

/// The settings key for the byte order of PCM samples: true for big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// The settings key for the type of PCM samples: true for floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"

/// The settings key for the arrangement of PCM samples: true if each channel has a separate buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The settings key for the file type: a number such as `kAudioFileCAFType`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// The settings key for the quality of a lossy encoder: the raw value of an `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"

/// The settings key for the quality of a lossy encoder with a variable bit rate: the raw value of
/// an `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"

/// The settings key for the bit rate of an encoder: a number in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// The settings key for the encoder's bit rate per channel: a number in bits per second.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"

/// The settings key for the bit rate strategy of an encoder: a string constant such as
/// `AVAudioBitRateStrategy_Variable`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"

/// The settings key for the bit depth of a lossless encoder's input: 8…32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The settings key for the algorithm of a sample rate converter: a string constant such as
/// `AVSampleRateConverterAlgorithm_Normal`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"

/// The settings key for the quality of a sample rate converter: the raw value of an
/// `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// The settings key for the channel layout: the bytes of an `AudioChannelLayout` as `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// The bit rate strategy with a constant bit rate.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"

/// The bit rate strategy with a constant average bit rate.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"

/// The bit rate strategy with a variable bit rate that stays within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"

/// The bit rate strategy with a variable bit rate.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The normal algorithm for sample rate conversion.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"

/// The algorithm for sample rate conversion in mastering.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"

/// The minimum-phase algorithm for sample rate conversion, which does not ring before a transient.
public let AVSampleRateConverterAlgorithm_MinimumPhase =
  "AVSampleRateConverterAlgorithm_MinimumPhase"
