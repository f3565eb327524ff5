import { describeImage } from './image.contract';
import { Image, stages } from './image';

describeImage('made with every step of the Dockerfile', () => {
  const image = new Image();
  for (const stage of stages) image.make(stage);
  return Promise.resolve(image);
});
