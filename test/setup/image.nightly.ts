import { describeImage } from './image.contract';
import { Image, stages } from './image';

describeImage('the image, every step of it', () => {
  const image = new Image();
  for (const stage of stages) image.make(stage);
  return Promise.resolve(image);
});
